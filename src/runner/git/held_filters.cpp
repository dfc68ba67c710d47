#include "runner/git/held_filters.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "os/processes/program.hpp"
#include "runner/git/git_environment.hpp"
#include "runner/git/user_settings.hpp"

namespace andon::runner {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFilterSection = "filter.";

/// The file of the program with which a command for the shell begins.
std::optional<fs::path> program_of(std::string_view command) {
  command.remove_prefix(std::min(command.find_first_not_of(' '), command.size()));
  bool const is_quoted = command.starts_with('"') || command.starts_with('\'');
  auto const end = is_quoted ? command.find(command.front(), 1) : command.find(' ');
  std::string const word{command.substr(is_quoted ? 1 : 0, is_quoted ? end - 1 : end)};
  return word.empty() ? std::nullopt : os::find_program(word, search_path_of_git());
}

/// Adds a filter when the user has a command for it. A filter that fails must not let a text through, so each
/// is required. A filter with no way back, such as one that formats, changes nothing on the way out.
void add_filter(std::string const& name, UserSettings const& settings, HeldFilters& out) {
  auto const prefix = std::string{kFilterSection} + name + ".";
  auto const command = [&](char const* key) {
    auto const found = settings.find(prefix + key);
    return found == settings.end() ? std::string{} : found->second;
  };
  auto const process = command("process");
  auto const clean = command("clean");
  auto smudge = command("smudge");
  if (clean.empty() && process.empty()) return;
  if (smudge.empty() && process.empty()) smudge = "cat";
  out.names.push_back(name);
  for (auto const& each : {process, clean, smudge})
    if (auto program = program_of(each)) out.programs.push_back(*std::move(program));
  // Git heeds neither of the other two beside an empty one.
  if (!process.empty()) out.settings.emplace_back(prefix + "process", process);
  out.settings.emplace_back(prefix + "clean", clean);
  out.settings.emplace_back(prefix + "smudge", smudge);
  out.settings.emplace_back(prefix + "required", "true");
}

}  // namespace

bool HeldFilters::contains(std::string_view name) const {
  return std::ranges::find(names, name) != names.end();
}

HeldFilters held_filters(std::vector<std::string> const& allowed) {
  HeldFilters out;
  if (allowed.empty()) return out;
  auto const settings = user_settings();
  for (auto const& name : allowed) add_filter(name, settings, out);
  return out;
}

Environment const& filter_environment() {
  // git-lfs leaves a pointer as it is when it cannot get the content.
  static Environment const variables{{"GIT_LFS_SKIP_DOWNLOAD_ERRORS", "1"}};
  return variables;
}

}  // namespace andon::runner
