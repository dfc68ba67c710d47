#include "service/boards/repositories.hpp"

#include "core/text/names.hpp"
#include "service/boards/work_policies.hpp"
#include "service/given_field.hpp"
#include "service/operation_context.hpp"
#include "service/tasks/kernel/task_rules.hpp"

namespace andon::service {
namespace {

core::Result<WantedRepository> wanted_by(OperationContext const& ctx, BoardPolicies const& r,
                                         core::Board const& before) {
  bool const is_asked = r.repo || r.branch || r.branch_prefix || r.worktree;
  if (!is_asked || ctx.caller.role != Role::admin) return WantedRepository{};
  ANDON_CHECK(check_repository(r));
  return WantedRepository{r.repo.value_or(before.repo), r.branch.value_or(before.branch),
                          r.branch_prefix.value_or(before.branch_prefix),
                          r.worktree.value_or(before.worktree)};
}

}  // namespace

constexpr std::size_t kLongestDirectory = 4096;

core::Result<RepositoriesRequest> list_repositories(OperationContext&, RepositoriesRequest const& request) {
  if (core::is_unsafe_line(request.path) || request.path.size() > kLongestDirectory)
    return invalid("\"path\" must be the path of a directory", "path");
  return request;
}

core::Result<WantedRepository> repository_of_new_board(OperationContext& ctx, CreateBoardRequest const& r) {
  return wanted_by(ctx, r, {});
}

core::Result<WantedRepository> repository_of_edited_board(OperationContext& ctx, EditBoardRequest const& r) {
  ANDON_TRY(auto const* before, find_board(ctx, r.board));
  return wanted_by(ctx, r, *before);
}

}  // namespace andon::service
