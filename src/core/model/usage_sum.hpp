#pragma once

#include "core/model/run.hpp"

namespace andon::core {

/// Adds the usage of another run.
inline Usage& operator+=(Usage& sum, Usage const& more) {
  sum.input += more.input;
  sum.output += more.output;
  sum.cache_read += more.cache_read;
  sum.cache_write += more.cache_write;
  sum.reasoning += more.reasoning;
  if (more.cost_usd) sum.cost_usd = sum.cost_usd.value_or(0) + *more.cost_usd;
  return sum;
}

}  // namespace andon::core
