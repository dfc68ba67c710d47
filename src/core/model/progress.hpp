#pragma once

#include <cstdint>

#include "core/field.hpp"

namespace andon::core {

/// How many parts of a thing are finished.
struct Progress {
  std::int64_t done = 0;
  std::int64_t total = 0;
  bool operator==(Progress const&) const = default;
};
void describe(auto& field, Progress const*) {
  field(&Progress::done, "done", "Finished", always);
  field(&Progress::total, "total", "All", always);
}

}  // namespace andon::core
