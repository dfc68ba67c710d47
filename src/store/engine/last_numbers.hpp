#pragma once

#include <cstdint>

#include "core/id.hpp"

namespace andon::store::engine {

/// The last numbers that were given; they are never given again.
struct LastNumbers {
  core::EventSeq seq = 0;
  std::int64_t task = 0;
  std::int64_t run = 0;
  std::int64_t token = 0;
  std::int64_t automation = 0;
};

}  // namespace andon::store::engine
