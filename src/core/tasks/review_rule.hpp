#pragma once

#include <string_view>

#include "core/model/board.hpp"
#include "core/model/task.hpp"

namespace andon::core {

/// The role that reviews a board's tasks; empty where a person or the checks do.
std::string_view reviewer_of(Board const& board);

/// True when a task of that board needs a verdict before it is done.
bool needs_review(Board const& board, Task const& task);

}  // namespace andon::core
