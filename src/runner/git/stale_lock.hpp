#pragma once

#include "core/model/work_place.hpp"

namespace andon::runner {

/// Removes the lock of an index (`index.lock`) that a killed git left. Call it when no process of a run is
/// left in the place. The lock stays while a git works in the place, or any process has the index or the lock
/// open: it may be a person's.
void drop_stale_lock(core::WorkPlace const& place);

}  // namespace andon::runner
