#pragma once

#include <string>
#include <string_view>

#include "runner/profiles/ask_program.hpp"
#include "runner/profiles/profile.hpp"

namespace andon::runner {

/// Whether a profile's program is on this machine.
struct Detection {
  bool found = false;
  std::string program;  ///< the path of the program
  std::string version;
  std::string problem;  ///< a sentence about why it cannot be used
};

/// Searches the program on a PATH and asks its version. Each call of the program has the bounds of `limit`.
Detection detect(Profile const& profile, std::string_view search_path,
                 AskLimit limit = {.time = core::Duration{5'000}});

}  // namespace andon::runner
