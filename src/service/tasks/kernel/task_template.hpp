#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/model/board.hpp"
#include "core/model/task.hpp"
#include "core/text/render_template.hpp"

namespace andon::service {

// Templates of tasks: what a chain or an automation turns into a task.

/// A task may stand at most so many links behind the first of its chain.
inline constexpr int kDeepestChain = 5;

/// Refuses a template whose fields the board does not know; `field` is where it stands in the request.
core::Result<void> check_template(core::Board const& board, core::NextTask const& next,
                                  std::string const& field);
/// Checks a task's `next_tasks`: at most 20 after one task, 5 deep, 100 in all.
core::Result<void> check_chain(core::Board const& board, std::vector<core::NextTask> const& chain,
                               std::string const& field = "next_tasks");

/// Fits a template to its board after columns, priorities or classes changed: `columns` gives the new name of
/// a column, and a value that no longer exists becomes the board's default.
void fit_template(core::Board const& board, std::map<std::string, std::string> const& columns,
                  core::NextTask& next);

/// A new task on the board with the template's words filled in. What was filled in may hold anything: a title
/// it spoils falls back to the template's own words, and a body is cut at its greatest length.
core::Task task_from(core::NextTask const& next, core::Board const& board, core::ValueOf const& value_of);

}  // namespace andon::service
