#pragma once

#include "core/time/time_zone.hpp"

namespace andon::os {

/// The time zones of this machine (its tzdata). `UTC` is known even without them.
core::TimeZones const& time_zones();

}  // namespace andon::os
