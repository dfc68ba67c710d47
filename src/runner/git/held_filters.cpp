// `git config --list` names the settings of the system and the user in the order in which they count, the
// last one wins. Settings of scope `local` or `command` are none of them.

#include "runner/git/held_filters.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "os/processes/capture.hpp"
#include "os/processes/program.hpp"
#include "runner/git/git_environment.hpp"

namespace andon::runner {
namespace {

namespace fs = std::filesystem;

constexpr core::Duration kReadLimit{10'000};
constexpr std::size_t kMostRead = 4U << 20U;
constexpr std::string_view kFilterSection = "filter.";

/// The variables that say where the configuration of the user and the system is.
constexpr std::array<std::string_view, 5> kWhere{
    "HOME=", "XDG_CONFIG_HOME=", "GIT_CONFIG_GLOBAL=", "GIT_CONFIG_SYSTEM=", "GIT_CONFIG_NOSYSTEM="};

std::vector<std::string> reading_environment() {
  std::vector<std::string> out{"PATH=" + search_path_of_git(), "LC_ALL=C", "GIT_DIR=/nonexistent"};
  for (auto& variable : os::own_environment())
    if (std::ranges::any_of(kWhere, [&](auto name) { return variable.starts_with(name); }))
      out.push_back(std::move(variable));
  return out;
}

using FilterSettings = std::map<std::string, std::string>;

/// Takes the settings of filters from pairs of a scope and `KEY\nVALUE`, each ended by a zero byte.
FilterSettings parse_user_settings(std::string_view text) {
  FilterSettings out;
  auto const next = [&] {
    auto const end = std::min(text.find('\0'), text.size());
    auto const part = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return part;
  };
  while (!text.empty()) {
    auto const scope = next();
    auto const line = next();
    auto const end = line.find('\n');
    bool const is_of_user = scope == "system" || scope == "global";
    if (is_of_user && end != std::string_view::npos && line.starts_with(kFilterSection))
      out[std::string{line.substr(0, end)}] = line.substr(end + 1);
  }
  return out;
}

FilterSettings read_user_settings() {
  auto const git = os::find_program("git", search_path_of_git());
  if (!git) return {};
  auto const read = os::capture({.program = *git,
                                 .argv = {"git", "config", "--show-scope", "--includes", "-z", "--list"},
                                 .env = reading_environment(),
                                 .cwd = "/"},
                                {.time = kReadLimit, .bytes = kMostRead});
  bool const is_whole = read.status.code == 0 && !read.cut && !read.timed_out;
  return is_whole ? parse_user_settings(std::string_view{read.out}.substr(0, read.printed))
                  : FilterSettings{};
}

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
void add_filter(std::string const& name, FilterSettings const& settings, HeldFilters& out) {
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
  auto const settings = read_user_settings();
  for (auto const& name : allowed) add_filter(name, settings, out);
  return out;
}

Environment const& filter_environment() {
  // git-lfs leaves a pointer as it is when it cannot get the content.
  static Environment const variables{{"GIT_LFS_SKIP_DOWNLOAD_ERRORS", "1"}};
  return variables;
}

}  // namespace andon::runner
