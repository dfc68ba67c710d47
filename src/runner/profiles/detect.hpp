#pragma once

#include <string>
#include <string_view>

#include "core/time/time.hpp"
#include "runner/profiles/profile.hpp"

namespace andon::runner {

/// Whether a profile's program is on this machine.
struct Detection {
  bool found = false;
  std::string program;  ///< its file
  std::string version;
  std::string problem;  ///< why it cannot be used, in a sentence
};

/// Looks for the program on a PATH and asks its version, for at most `limit` each time.
Detection detect(Profile const& profile, std::string_view search_path,
                 core::Duration limit = core::Duration{5'000});

}  // namespace andon::runner
