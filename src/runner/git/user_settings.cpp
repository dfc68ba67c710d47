#include "runner/git/user_settings.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "os/processes/capture.hpp"
#include "os/processes/program.hpp"
#include "runner/git/git_environment.hpp"

namespace andon::runner {
namespace {

constexpr core::Duration kReadLimit{10'000};
constexpr std::size_t kMostRead = 4U << 20U;

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

/// Parses pairs of a scope and `KEY\nVALUE`, each ended by a zero byte. Settings of scope `local` or
/// `command` are not the user's.
UserSettings parse_user_settings(std::string_view text) {
  UserSettings out;
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
    if (is_of_user && end != std::string_view::npos)
      out[std::string{line.substr(0, end)}] = line.substr(end + 1);
  }
  return out;
}

}  // namespace

UserSettings user_settings() {
  auto const git = os::find_program("git", search_path_of_git());
  if (!git) return {};
  auto const read = os::capture({.program = *git,
                                 .argv = {"git", "config", "--show-scope", "--includes", "-z", "--list"},
                                 .env = reading_environment(),
                                 .cwd = "/"},
                                {.time = kReadLimit, .bytes = kMostRead});
  bool const is_whole = read.status.code == 0 && !read.cut && !read.timed_out;
  return is_whole ? parse_user_settings(std::string_view{read.out}.substr(0, read.printed)) : UserSettings{};
}

std::string own_variable_of_git(std::string_view name) {
  for (std::string_view const variable : os::own_environment())
    if (variable.starts_with(name) && variable.substr(name.size()).starts_with('='))
      return std::string{variable.substr(name.size() + 1)};
  return {};
}

}  // namespace andon::runner
