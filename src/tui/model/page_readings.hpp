#pragma once

#include "tui/model/model.hpp"

// The readings behind the open pages of tasks: a page is read when it opens, and again when the card of its
// task has changed, one reading at a time.

namespace andon::tui {

/// Asks for the pages whose readings are missing or old.
void refresh_pages(Model& model, Effects& effects);
/// The page that this was asked for may be asked for again.
void end_reading(Model& model, Ask const& ask);
/// The pages of the task are read again, or those of all tasks.
void mark_stale(Model& model, core::TaskId task);
void mark_all_stale(Model& model);

}  // namespace andon::tui
