#include "service/boards/attach.hpp"

#include <algorithm>

#include "core/text/names.hpp"
#include "service/tasks/kernel/change.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

using core::Code;
using core::Result;

void append_attachment_change(OperationContext& ctx, core::Board const& board, std::string what) {
  core::Event event;
  event.kind = core::EventKind::board_changed;
  event.board = board.name;
  append_event(ctx, std::move(event), {{"what", std::move(what)}, {"directory", board.directory}});
}

/// Many tasks are forgotten by one unit of work after another. False when there are many.
bool begin_to_remove(OperationContext& ctx, core::Board board) {
  std::int64_t tasks = 0;
  for (auto const& [column, count] : ctx.tx.load(board.id).columns) tasks += count;
  if (tasks <= store::kMostAtOnce) return true;
  board.removing = board.archived = true;
  board.rev = core::next(board.rev);
  ctx.tx.put(board);
  return false;
}

}  // namespace

Result<core::Board> attach_board(OperationContext& ctx, AttachBoardRequest const& r) {
  if (r.directory.empty()) return core::refuse(Code::kInvalidInput, "give a directory", "directory");
  if (!r.name.empty()) ANDON_CHECK(check_board_name(r.name));
  ANDON_CHECK(check_prefix(r.prefix));
  core::Board board;
  board.directory = r.directory;
  board.name = r.name;
  board.prefix = r.prefix;
  board.created = ctx.now;
  auto const id = ctx.tx.add(std::move(board));
  auto const* attached = ctx.tx.board(id);
  append_attachment_change(ctx, *attached, "attached");
  return with_counts(ctx, *attached);
}

Result<DetachedBoard> detach_board(OperationContext& ctx, BoardRequest const& r) {
  ANDON_TRY(auto const* found, find_board(ctx, r.board));
  auto const board = *found;
  if (!core::is_attached(board))
    return core::refuse(Code::kInvalidInput,
                        "board \"" + board.name + "\" is not attached; see: andon boards archive", "board");
  auto const runs = ctx.tx.live_runs();
  if (auto const run = std::ranges::find(runs, board.name, &core::Run::board); run != runs.end())
    return core::refuse(core::Error{
        Code::kConflict,
        "an agent works on task #" + std::to_string(run->task) +
            " of this board; stop it first with: andon kill " + std::to_string(run->task),
        "board",
        {},
        {}}.with("task", run->task));
  append_attachment_change(ctx, board, "detached");
  bool const is_small = begin_to_remove(ctx, board);
  if (is_small) ctx.tx.remove_board(board.id);
  return DetachedBoard{board.name, board.directory, is_small ? "detached" : "detaching"};
}

}  // namespace andon::service
