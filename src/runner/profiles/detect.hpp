#pragma once

#include <string>
#include <string_view>

#include "core/time/time.hpp"
#include "runner/profiles/profile.hpp"

namespace andon::runner {

/// Whether a profile's program is on this machine.
struct Detection {
  bool found = false;
  std::string program;  ///< the path of the program
  std::string version;
  std::string problem;  ///< a sentence about why it cannot be used
};

/// Searches the program on a PATH and asks its version. Each call of the program takes at most `limit`.
Detection detect(Profile const& profile, std::string_view search_path,
                 core::Duration limit = core::Duration{5'000});

}  // namespace andon::runner
