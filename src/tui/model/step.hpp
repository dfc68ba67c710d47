#pragma once

#include "tui/model/model.hpp"

namespace andon::tui {

/// Changes the model by what happened at that time, and says what is to be done about it. It reads nothing
/// else and never fails.
Effects step(Model& model, Happening happening, core::Instant now);

}  // namespace andon::tui
