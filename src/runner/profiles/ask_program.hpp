#pragma once

#include <string>
#include <vector>

#include "os/processes/capture.hpp"
#include "runner/profiles/profile.hpp"

namespace andon::runner {

/// The bounds of a call of a profile's program.
struct AskLimit {
  core::Duration time{30'000};
  int stop = -1;  ///< a descriptor that becomes readable when the program must end
};

/// Runs the program of a profile for a short answer such as its version. It gets only an agent's environment,
/// and no input.
os::Captured ask_program(Profile const& profile, std::string const& program,
                         std::vector<std::string> const& arguments, AskLimit limit);

}  // namespace andon::runner
