#pragma once

#include <map>
#include <string>
#include <vector>

#include "service/boards/boards.hpp"

namespace andon::service {

/// The columns a board shall have, and where the tasks of each column it had are afterwards. A column that
/// goes without a target is missing there: it must be empty.
struct ColumnPlan {
  std::vector<core::Column> columns;
  std::vector<core::Column> going;  ///< those that an earlier change of the board has not emptied yet
  std::map<std::string, std::string> targets;
};

/// Works out what an edit asks for: a whole list, or single changes to what there is. Checks no more than
/// that the named columns exist.
core::Result<ColumnPlan> plan_columns(core::Board const& board, EditBoardRequest const& request);

/// Gives a living board its new columns. No task is lost: those of a renamed column keep their age in it,
/// those of a removed one move to its target under the column limits, and what depends on tasks whose column
/// became an end, or is none any more, is counted anew. On a board of many tasks that is only begun: columns
/// that go stay on `after`, and `settle_boards` does the rest.
core::Result<void> change_columns(OperationContext& ctx, core::Board const& before, core::Board& after,
                                  ColumnPlan const& plan);
/// Keeps what a column meant for the numbers about the time before.
void tell_former(OperationContext& ctx, core::Board const& board, core::Column const& column,
                 std::string const& now);
/// The refusal of a column that cannot be emptied; nothing when it can.
core::Result<void> check_can_leave(OperationContext& ctx, core::Task const& task, core::Column const& to);

}  // namespace andon::service
