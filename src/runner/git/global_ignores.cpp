#include "runner/git/global_ignores.hpp"

#include <filesystem>
#include <string_view>

#include "os/files/file.hpp"
#include "os/processes/capture.hpp"
#include "os/processes/process.hpp"
#include "os/processes/program.hpp"
#include "os/system_error.hpp"
#include "runner/git/git_environment.hpp"

namespace andon::runner {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostRules = 1U << 20U;

std::string own_value(std::string_view name) {
  for (std::string_view const variable : os::own_environment())
    if (variable.starts_with(name) && variable.substr(name.size()).starts_with('='))
      return std::string{variable.substr(name.size() + 1)};
  return {};
}

/// The file that the user's or the system's configuration names; empty for none.
fs::path configured_file() {
  auto const git = os::find_program("git", search_path_of_git());
  if (!git) return {};
  auto environment = os::own_environment();
  std::erase_if(environment, [](std::string const& variable) {
    return variable.starts_with("GIT_") && !variable.starts_with("GIT_CONFIG_");
  });
  environment.emplace_back("GIT_DIR=/nonexistent");  // no repository has a say
  auto asked = os::capture({.program = *git,
                            .argv = {"git", "config", "--includes", "--type=path", "core.excludesFile"},
                            .env = std::move(environment),
                            .cwd = "/"});
  if (asked.status.code != 0 || asked.timed_out) return {};
  asked.out.resize(asked.printed);
  return asked.out.substr(0, asked.out.find('\n'));
}

fs::path usual_file() {
  if (auto const configuration = own_value("XDG_CONFIG_HOME"); !configuration.empty())
    return fs::path{configuration} / "git/ignore";
  auto const home = own_value("HOME");
  return home.empty() ? fs::path{} : fs::path{home} / ".config/git/ignore";
}

}  // namespace

std::string global_ignores() try {
  auto file = configured_file();
  if (file.empty()) file = usual_file();
  if (file.empty()) return {};
  auto rules = os::read_file_if_there(file, kMostRules).value_or("");
  if (!rules.empty() && !rules.ends_with('\n')) rules += '\n';
  return rules;
} catch (os::SystemError const&) {
  return {};  // git ignores an unreadable file too
}

}  // namespace andon::runner
