#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "runner/profiles/agent_environment.hpp"

namespace andon::runner {

/// Filters of gitattributes(5) that Andon's git runs, confined as git itself is. Their commands come from the
/// git configuration of the user that runs Andon, never from a repository.
struct HeldFilters {
  std::vector<std::string> names;               ///< those that have a command
  Environment settings;                         ///< `filter.NAME.clean` and the like, for git
  std::vector<std::filesystem::path> programs;  ///< the files of the commands

  bool empty() const { return names.empty(); }
  bool contains(std::string_view name) const;
};

/// The filters among `allowed` that have commands. Reads the configuration anew for each call.
HeldFilters held_filters(std::vector<std::string> const& allowed);

/// The variables with which the programs of filters run: they fetch nothing.
Environment const& filter_environment();

/// Why an allowed filter without commands is not run.
inline constexpr char kNoFilterCommand[] =
    "no command for it is in the git configuration of the user that runs Andon";

}  // namespace andon::runner
