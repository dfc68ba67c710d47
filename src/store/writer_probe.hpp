#pragma once

#include "store/contract/store.hpp"

namespace andon::store {

/// Sends a unit of work that changes nothing through the writer. `done` is called when the writer has ended
/// it.
void probe_writer(Store& store, Done done);

}  // namespace andon::store
