#pragma once

#include <string>
#include <vector>

#include "os/processes/capture.hpp"
#include "runner/profiles/profile.hpp"

namespace andon::runner {

/// Runs the program of a profile for a short answer such as its version. It gets only an agent's environment,
/// and no input.
os::Captured ask_program(Profile const& profile, std::string const& program,
                         std::vector<std::string> const& arguments, core::Duration limit);

}  // namespace andon::runner
