#include "runner/git/git_environment.hpp"

#include <string_view>

#include "os/processes/process.hpp"

namespace andon::runner {

std::string const& search_path_of_git() {
  static std::string const path = [] {
    constexpr std::string_view kName = "PATH=";
    for (std::string_view const variable : os::own_environment())
      if (variable.starts_with(kName) && variable.size() > kName.size())
        return std::string{variable.substr(kName.size())};
    return std::string{"/usr/local/bin:/usr/bin:/bin"};
  }();
  return path;
}

std::vector<std::string> git_environment(std::string const& protocols) {
  return {"PATH=" + search_path_of_git(),
          "HOME=/nonexistent",
          "LC_ALL=C",
          "GIT_CONFIG_NOSYSTEM=1",
          "GIT_ATTR_NOSYSTEM=1",
          "GIT_CONFIG_GLOBAL=/dev/null",
          "GIT_TERMINAL_PROMPT=0",
          "GIT_ALLOW_PROTOCOL=" + protocols,
          "GIT_NO_LAZY_FETCH=1",
          "GIT_NO_REPLACE_OBJECTS=1"};
}

}  // namespace andon::runner
