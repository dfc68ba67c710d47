#pragma once

#include "service/change.hpp"

namespace andon::service {

/// Refuses a step into a column that the caller may not take: what the strict machine does not have, with the
/// columns it leads to from here, and what a person must approve first.
core::Result<void> check_allowed(Unit const& u, Change const& change, core::Column const& column);

}  // namespace andon::service
