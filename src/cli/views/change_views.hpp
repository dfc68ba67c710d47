#pragma once

#include <string>

#include "cli/command_line/screen.hpp"
#include "service/teams/team.hpp"

namespace andon::cli {

/// The changes that applying a team made, or would make, for people.
std::string change_page(service::TeamChanges const& changes, bool dry_run, Screen const& screen);

}  // namespace andon::cli
