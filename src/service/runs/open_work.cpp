#include "service/runs/open_work.hpp"

#include "service/operation_context.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

using core::Code;
using core::Result;

}  // namespace

Result<TreeQuestion> open_work(OperationContext& ctx, TaskRequest const& r) {
  ANDON_TRY(auto task, find_task(ctx, r.id));
  auto const* board = ctx.tx.board(task.board);
  if (!board || !board->worktree || board->repo.empty())
    return core::refuse(Code::kConflict,
                        "the board \"" + task.board +
                            "\" gives its tasks no work trees; an administrator sets \"repo\" and "
                            "\"worktree\" with: andon boards edit",
                        "id");
  return TreeQuestion{std::move(task), *board};
}

Result<TreeQuestion> take_work(OperationContext& ctx, TaskRequest const& r) { return open_work(ctx, r); }

Result<PreviewQuestion> preview_work(OperationContext& ctx, PreviewRequest const& r) {
  ANDON_TRY(auto out, open_work(ctx, {r.id}));
  if (r.stop) return PreviewQuestion{std::move(out), true};
  auto const& [task, board] = out;
  if (board.preview.empty())
    return core::refuse(Code::kConflict,
                        "the board \"" + board.name +
                            "\" has no preview; an administrator sets the command that serves the work with: "
                            "andon boards edit " +
                            board.name + " --preview",
                        "preview");
  auto const run = task.run ? ctx.tx.run(*task.run) : std::nullopt;
  if (run && run->state != core::RunState::ended)
    return core::refuse(
        Code::kConflict,
        "an agent works on #" + std::to_string(task.id) + "; a preview can start when its run has ended",
        "id");
  return PreviewQuestion{std::move(out)};
}

}  // namespace andon::service
