#pragma once

#include <string>

#include "store/markdown/sync/sync_run.hpp"

namespace andon::store::markdown {

/// Opens the directory of tasks. On a board that is not watched it waits while git keeps it away.
void open_tasks(SyncRun& run, std::string const& name);
/// Reads the settings, migrates an older version, and puts the board. False when the directory has no
/// settings and so is no board.
bool take_settings(SyncRun& run);
/// Gives new tasks numbers above `last`. Those of an attached board get their ids from the store instead.
void number_after(SyncRun& run, FileNumber last);
/// Raises `next_id` in the settings above `highest`, the highest number of a task.
void raise_next_id(SyncRun& run, FileNumber highest);

}  // namespace andon::store::markdown
