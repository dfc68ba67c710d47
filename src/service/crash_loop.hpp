#pragma once

#include "core/run.hpp"
#include "service/unit.hpp"

namespace andon::service {

/// Pauses the worker of a run that has just ended when its latest attempts all crashed at once: such a worker
/// would burn through every task that waits for it. A person lets it pick again.
void pause_if_looping(Unit& u, core::Run const& run);

}  // namespace andon::service
