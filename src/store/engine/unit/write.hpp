#pragma once

#include <functional>

#include "store/contract/store.hpp"

namespace andon::store {

/// Runs a unit of work and waits for it; for commands and tests. Rethrows the trouble of the unit.
void write(Store& store, std::function<Outcome(Tx&)> work);

}  // namespace andon::store
