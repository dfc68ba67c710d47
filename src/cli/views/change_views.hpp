#pragma once

#include <string>

#include "cli/command_line/screen.hpp"
#include "service/teams/team.hpp"

namespace andon::cli {

/// What applying a team changed, or would change, as people read it.
std::string change_page(service::TeamChanges const& changes, bool dry_run, Screen const& screen);

}  // namespace andon::cli
