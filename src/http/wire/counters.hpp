#pragma once

#include <cstdint>
#include <map>

namespace andon::http {

/// Counters for `/metrics`. I/O thread only.
struct Counters {
  std::map<int, std::uint64_t> answers;  ///< by status
  std::uint64_t streams_opened = 0;
  std::uint64_t streams_reset = 0;
  std::uint64_t commits = 0;
};

}  // namespace andon::http
