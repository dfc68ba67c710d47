#pragma once

#include <string_view>

#include "core/model/board.hpp"
#include "core/model/task.hpp"

namespace andon::core {

/// The role that reviews a board's tasks; empty where a person or the checks do.
std::string_view reviewer_of(Board const& board);

/// True when a task of that board needs a verdict before it is done.
bool needs_review(Board const& board, Task const& task);

/// True when what the agent says is the outcome of the task: a verdict, a plan, or work of which nobody wants
/// a verdict. Such work needs no change of files as its evidence.
bool is_done_in_words(Board const& board, Task const& task);

}  // namespace andon::core
