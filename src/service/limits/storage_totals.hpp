#pragma once

#include <cstdint>

#include "core/error.hpp"
#include "service/limits/storage_meter.hpp"
#include "service/operation_context.hpp"

namespace andon::service {

/// Adds a write of so many bytes to the totals of the run that makes it: its own, and that of the runs of its
/// board in 24 hours. A write that would exceed one is refused with `NO_SPACE`. Call it in the unit of work
/// that makes the write, so that the totals hold for all servers of the store and after a restart. Writes of
/// other callers have no totals.
core::Result<void> count_stored(OperationContext& ctx, Stored stored, std::int64_t bytes);

}  // namespace andon::service
