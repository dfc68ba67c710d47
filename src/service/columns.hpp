#pragma once

#include <map>
#include <string>
#include <vector>

#include "service/boards.hpp"

namespace andon::service {

/// The columns a board shall have, and where the tasks of each column it had are afterwards. A column that
/// goes without a target is missing there: it must be empty.
struct ColumnPlan {
  std::vector<core::Column> columns;
  std::map<std::string, std::string> targets;
};

/// Works out what an edit asks for: a whole list, or single changes to what there is. Checks no more than
/// that the named columns exist.
core::Result<ColumnPlan> plan_columns(core::Board const& board, EditBoardRequest const& request);

/// Gives a living board its new columns. No task is lost: those of a renamed column keep their age in it,
/// those of a removed one move to its target under the column limits, and what depends on tasks whose column
/// became an end, or is none any more, is counted anew.
core::Result<void> change_columns(Unit& u, core::Board const& before, core::Board const& after,
                                  ColumnPlan const& plan);

}  // namespace andon::service
