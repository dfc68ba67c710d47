#include "service/boards/board_repository.hpp"

#include <tuple>

#include "core/model/clone_url.hpp"
#include "service/given_field.hpp"
#include "service/operation_context.hpp"
#include "service/reference.hpp"

namespace andon::service {
namespace {

using core::Result;

auto place_of(core::Board const& board) {
  return std::tie(board.repo, board.worktree, board.branch, board.folder, board.branch_prefix);
}

}  // namespace

ExamineRepositoryRequest examination_for(OperationContext const& ctx, BoardPolicies const& request,
                                         core::Board const& before) {
  auto after = before;
  take(request.repo, after.repo);
  take(request.worktree, after.worktree);
  take(request.branch, after.branch);
  take(request.folder, after.folder);
  take(request.branch_prefix, after.branch_prefix);
  bool const is_asked = ctx.caller.role >= Role::admin && after.worktree && !after.repo.empty() &&
                        place_of(after) != place_of(before) && core::fault_of_repo(after.repo).empty();
  return is_asked ? ExamineRepositoryRequest{after.repo, after.branch, after.folder, after.branch_prefix}
                  : ExamineRepositoryRequest{};
}

Result<ExamineRepositoryRequest> repository_of_new_board(OperationContext& ctx,
                                                         CreateBoardRequest const& request) {
  return examination_for(ctx, request, {});
}

Result<ExamineRepositoryRequest> repository_of_edited_board(OperationContext& ctx,
                                                            EditBoardRequest const& request) {
  ANDON_TRY(auto const* board, find_board(ctx, request.board));
  return examination_for(ctx, request, *board);
}

}  // namespace andon::service
