#pragma once

#include <string>

#include "core/model/event.hpp"
#include "core/model/task.hpp"
#include "store/markdown/files/board_folder.hpp"

namespace andon::store::markdown {

/// The task that was acted on, as it is now.
struct Acted {
  core::Task const& task;
  bool is_handed_off = false;  ///< by the same unit of work
};

/// The lines of kanban-md's `activity.jsonl` that an event is worth; empty for none.
std::string activity_lines(core::Event const& event, Acted const& acted);

/// Appends lines; more than 10,000 are cut to the last 10,000. Trouble is passed over: the log is for people,
/// and what was done stays done.
void append_activity(BoardFolder const& folder, std::string const& lines);

}  // namespace andon::store::markdown
