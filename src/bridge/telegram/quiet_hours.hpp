#pragma once

#include <optional>

#include "bridge/conversation/settings.hpp"
#include "core/time/time_zone.hpp"

namespace andon::bridge::telegram {

/// When the quiet hours that hold at `now` end; nothing outside of them. The texts and the zone of `quiet`
/// are valid.
std::optional<core::Instant> end_of_quiet(Quiet const& quiet, core::TimeZones const& zones,
                                          core::Instant now);

}  // namespace andon::bridge::telegram
