#pragma once

#include <string>

#include "cli/command_line/screen.hpp"
#include "service/automations/automations.hpp"

namespace andon::cli {

/// The automations with when they fire and what they wait for.
std::string automation_list(service::Automations const& automations, Screen const& screen);
std::string automation_page(core::Automation const& automation, Screen const& screen);

}  // namespace andon::cli
