#pragma once

#include <string>

#include "core/time/time.hpp"

namespace andon::cli {

/// The text below a line `[[2026-11-21]] Sat 08:00` in local time, as kanban-md stamps what is added to a
/// body.
std::string stamped(std::string const& text, core::Instant now);

}  // namespace andon::cli
