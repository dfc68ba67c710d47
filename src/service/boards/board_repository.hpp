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

/// The question about the repository of a board that is to be as a request says; empty when nothing of it
/// changes, and for callers who may not change it, so that they learn nothing of the disk.
ExamineRepositoryRequest examination_for(OperationContext const& ctx, BoardPolicies const& request,
                                         core::Board const& before);

}  // namespace andon::service
