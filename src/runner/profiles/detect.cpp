#include "runner/profiles/detect.hpp"

#include "os/processes/program.hpp"
#include "os/system_error.hpp"
#include "runner/output/pattern.hpp"
#include "runner/output/plain_text.hpp"

namespace andon::runner {
namespace {

std::vector<std::string> candidates(Profile const& profile) {
  if (!profile.detect.command.empty()) return profile.detect.command;
  if (profile.argv.empty() || !profile.argv.front().is_string()) return {};
  auto const& first = profile.argv.front().get_string();
  return {std::string{first.data(), first.size()}};
}

bool is_the_one(Profile const& profile, std::string const& program, AskLimit limit) {
  if (profile.detect.must_match.empty()) return true;
  auto const pattern = Pattern::compile(profile.detect.must_match);
  return pattern && pattern->found_in(ask_program(profile, program, {"--help"}, limit).out);
}

std::string version_of(Profile const& profile, std::string const& program, AskLimit limit) {
  if (profile.detect.version_argv.empty()) return {};
  auto const said = ask_program(profile, program, profile.detect.version_argv, limit);
  if (profile.detect.version_regex.empty()) return as_utf8(head(said.out, 100));
  auto const pattern = Pattern::compile(profile.detect.version_regex);
  if (!pattern) return {};
  auto groups = pattern->groups(said.out);
  return as_utf8(groups.contains("1") ? groups["1"] : groups["0"]);
}

}  // namespace

Detection detect(Profile const& profile, std::string_view search_path, AskLimit limit) {
  Detection detection;
  auto const names = candidates(profile);
  if (names.empty()) {
    detection.problem = "the profile names no program; an administrator's profile that extends it does";
    return detection;
  }
  for (auto const& name : names) {
    auto const program = os::find_program(name, search_path);
    if (!program) continue;
    try {
      if (!is_the_one(profile, program->native(), limit)) continue;
      detection.program = program->native();
      detection.version = version_of(profile, detection.program, limit);
      detection.found = true;
      return detection;
    } catch (os::SystemError const& error) {
      detection.problem = error.what();
    }
  }
  if (detection.problem.empty())
    detection.problem = "the program \"" + names.front() + "\" " + os::why_not_found(names.front());
  return detection;
}

}  // namespace andon::runner
