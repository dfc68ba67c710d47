#pragma once

#include <string>

#include "core/model/event.hpp"
#include "core/model/task.hpp"
#include "store/markdown/files/board_folder.hpp"

namespace andon::store::markdown {

/// The task of an event, as it is now.
struct Acted {
  core::Task const& task;
  bool is_handed_off = false;  ///< whether the same unit of work handed it off
};

/// The lines for an event in kanban-md's `activity.jsonl`; empty when the log has no action for it.
std::string activity_lines(core::Event const& event, Acted const& acted);

/// Appends lines. A log of more than 10,000 lines is cut to the last 10,000. Errors are ignored: the log is
/// only for people, and the logged change is already made.
void append_activity(BoardFolder const& folder, std::string const& lines);

}  // namespace andon::store::markdown
