#pragma once

#include "service/boards/boards.hpp"

namespace andon::service {

// A board with work trees has a repository that was examined. The question is asked before the unit of work
// that changes the board.

/// The repository that a request gives to a board with work trees anew; empty when it gives none.
core::Result<ExamineRepositoryRequest> repository_of_new_board(OperationContext& ctx,
                                                               CreateBoardRequest const& request);
core::Result<ExamineRepositoryRequest> repository_of_edited_board(OperationContext& ctx,
                                                                  EditBoardRequest const& request);

}  // namespace andon::service
