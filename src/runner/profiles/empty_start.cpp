#include "runner/profiles/empty_start.hpp"

#include <algorithm>

#include "os/files/file.hpp"
#include "os/processes/capture.hpp"
#include "os/random.hpp"
#include "runner/output/failure_rule.hpp"
#include "runner/output/pattern.hpp"
#include "runner/output/plain_text.hpp"
#include "runner/output/rule_set.hpp"
#include "runner/profiles/agent_environment.hpp"
#include "runner/profiles/expand.hpp"

namespace andon::runner {
namespace {

constexpr std::size_t kMostProbeOutput = 64U << 10U;
constexpr std::size_t kLongestShownLine = 300;

/// Values that every program accepts, to try the arguments of the profile. They name no model, since each
/// account has other models.
Variables sample_values(Profile const& profile, std::filesystem::path const& directory, bool resumes) {
  Variables variables;
  auto& texts = variables.texts;
  texts["run.dir"] = directory;
  texts["cwd"] = directory;
  texts["effort"] = "medium";
  texts["max_turns"] = "1";
  texts["budget_usd"] = "1";
  texts["new_session"] = os::random_uuid();
  if (resumes) texts["session"] = os::random_uuid();
  if (profile.prompt.role == RoleVia::file) texts["file.role"] = directory / "role.md";
  variables.lists["add_dirs"] = {directory};
  return variables;
}

/// The first line that is not noise.
std::string first_words(Profile const& profile, std::string_view text) {
  auto const rules = RuleSet::compile(profile.output);
  while (!text.empty()) {
    auto const line = text.substr(0, text.find('\n'));
    if (line.find_first_not_of(" \t\r") != std::string_view::npos && rules && !rules->is_noise(line))
      return shortened(as_utf8(line), kLongestShownLine);
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
  return "it printed nothing";
}

}  // namespace

EmptyStart::EmptyStart(Profile const& profile, std::string program, std::span<std::string const> own,
                       AskLimit limit)
    : profile_(profile), program_(std::move(program)), own_(own), limit_(limit) {}

std::string EmptyStart::answer(std::string const& level, bool resumes) const {
  auto const& directory = directory_.path();
  auto made = expand(profile_, sample_values(profile_, directory, resumes), level);
  if (!made) return made.error().message;
  if (profile_.prompt.role == RoleVia::file)
    os::write_file(directory / "role.md", "You try the arguments.\n");
  for (auto const& [path, content] : made->files) os::write_file(directory / path, content);
  os::Command command{.program = program_,
                      .argv = std::move(made->argv),
                      .env = agent_environment(profile_, own_, made->env, {}, {}),
                      .cwd = directory};
  auto const said =
      os::capture(std::move(command), {.time = limit_.time, .bytes = kMostProbeOutput, .stop = limit_.stop});
  return said.timed_out ? "it did not refuse an empty prompt in time" : said.out;
}

std::string EmptyStart::trouble(std::string const& level, bool resumes, bool is_signed_out) const {
  auto const said = answer(level, resumes);
  auto const understood = Pattern::compile(profile_.detect.understood);
  if (understood && understood->found_in(said)) return {};
  auto const* known = failure_in(profile_.failures, said);
  if (!known) return first_words(profile_, said);
  bool const is_sign_in = known->class_ == ExitClass::auth;
  if (is_sign_in && is_signed_out) return {};
  auto const& how = is_sign_in && known->remedy.empty() ? profile_.detect.sign_in.how : known->remedy;
  return first_words(profile_, said) + (how.empty() ? "" : "; " + how);
}

}  // namespace andon::runner
