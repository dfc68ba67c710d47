#pragma once

#include <string>

#include "core/time/time_zone.hpp"

namespace andon::os {

/// The time zones of this machine (its tzdata). `UTC` exists even without tzdata.
core::TimeZones const& time_zones();

/// The name of the zone of this machine's clocks: that of `TZ`, or else of /etc/localtime. Empty where it has
/// no name, as with a table that was copied there.
std::string machine_time_zone();

}  // namespace andon::os
