#pragma once

#include "core/time/clock_reading.hpp"
#include "service/operation_context.hpp"

namespace andon::service {

// Leases and timers do not follow steps of the wall clock. The store keeps the readings of the clocks for
// which its times are correct. A unit that finds other readings moves the times by the step.

/// The parties that did not run between the stored reading and now, apart from the machine while it slept.
enum class Absence { nobody, server };

/// The clocks as the store's times go by them; nothing for a new store.
std::optional<core::ClockReading> kept_clock(store::Tx& tx);

/// Moves the ends of claims, of back-offs and of accounts' rests, and the last signs of progress, by a step
/// of the wall clock since the kept reading. Gives claims that lived when the machine fell asleep, or when
/// the server was last heard of, one lease of grace. Returns the reading that the store's times go by now.
core::ClockReading follow_clock(OperationContext& ctx, core::ClockReading const& now, Absence absence);

/// Stores that the times are correct until now, as long as any claim lives. Returns the stored reading.
core::ClockReading note_clock(OperationContext& ctx, core::ClockReading const& kept,
                              core::ClockReading const& now);

}  // namespace andon::service
