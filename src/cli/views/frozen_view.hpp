#pragma once

#include <string>

#include "cli/command_line/screen.hpp"
#include "service/limits/freeze.hpp"

namespace andon::cli {

/// The frozen boards and workers, in a sentence.
std::string frozen_line(service::Frozen const& frozen, Screen const& screen);

}  // namespace andon::cli
