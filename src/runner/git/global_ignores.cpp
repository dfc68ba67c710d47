#include "runner/git/global_ignores.hpp"

#include <filesystem>
#include <string_view>

#include "os/files/file.hpp"
#include "os/system_error.hpp"
#include "runner/git/user_settings.hpp"

namespace andon::runner {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostRules = 1U << 20U;

/// The file that the configuration of the user names; empty for none.
fs::path configured_file() {
  auto const settings = user_settings();
  auto const found = settings.find("core.excludesfile");
  if (found == settings.end()) return {};
  if (!found->second.starts_with("~/")) return found->second;
  return fs::path{own_variable_of_git("HOME")} / found->second.substr(2);
}

fs::path usual_file() {
  if (auto const configuration = own_variable_of_git("XDG_CONFIG_HOME"); !configuration.empty())
    return fs::path{configuration} / "git/ignore";
  auto const home = own_variable_of_git("HOME");
  return home.empty() ? fs::path{} : fs::path{home} / ".config/git/ignore";
}

}  // namespace

std::string global_ignores() try {
  auto file = configured_file();
  if (file.empty()) file = usual_file();
  if (!file.is_absolute()) return {};
  auto rules = os::read_file_if_there(file, kMostRules).value_or("");
  if (!rules.empty() && !rules.ends_with('\n')) rules += '\n';
  return rules;
} catch (os::SystemError const&) {
  return {};  // git ignores an unreadable file too
}

}  // namespace andon::runner
