#pragma once

#include <chrono>
#include <string_view>

namespace andon::store {

/// How soon the writer must run a unit of work.
enum class Urgency {
  usual,
  urgent  ///< before all usual units: without it a lease ends
};

/// The properties by which the writer schedules and measures a unit of work.
struct UnitKind {
  std::string_view name = "internal";  ///< of the operation; a literal
  Urgency urgency = Urgency::usual;
  std::chrono::milliseconds bound{50};  ///< a unit that occupies the writer for longer is reported and
                                        ///< counted
};

}  // namespace andon::store
