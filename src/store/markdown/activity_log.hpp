#pragma once

#include <string>

#include "core/event.hpp"
#include "core/task.hpp"
#include "store/markdown/board_folder.hpp"

namespace andon::store::markdown {

/// The lines of kanban-md's `activity.jsonl` that an event is worth; empty for none. `before` is the task as
/// it was, or as it is when it is new.
std::string activity_lines(core::Event const& event, core::Task const& before, core::Task const& after);

/// Appends lines; more than 10,000 are cut to the last 10,000. Trouble is passed over: the log is for people,
/// and what was done stays done.
void append_activity(BoardFolder const& folder, std::string const& lines);

}  // namespace andon::store::markdown
