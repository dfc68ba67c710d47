#pragma once

#include "core/time/time_zone.hpp"

namespace andon::os {

/// The time zones of this machine (its tzdata). `UTC` exists even without tzdata.
core::TimeZones const& time_zones();

}  // namespace andon::os
