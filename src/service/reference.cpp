#include "service/reference.hpp"

#include <algorithm>
#include <charconv>

#include "service/operation_context.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

using core::Code;

std::optional<core::TaskId> number(std::string_view text) {
  if (text.starts_with('#')) text.remove_prefix(1);
  std::int64_t id = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (error != std::errc{} || end != text.data() + text.size() || id < 0) return std::nullopt;
  return core::TaskId{id};
}

std::unexpected<core::Error> not_found(core::TaskId id, std::string_view field) {
  return core::refuse(
      core::Error{Code::kTaskNotFound, "there is no task #" + std::to_string(id), std::string{field}, {}, {}}
          .with("id", id));
}

bool is_hidden(OperationContext const& ctx, std::string_view board) {
  return is_run(ctx) && ctx.caller.run->board != board;
}

}  // namespace

core::Result<core::TaskId> resolve(OperationContext& ctx, TaskRef const& ref, std::string_view field) {
  if (auto const id = number(ref.text)) return *id;
  if (auto const id = ctx.tx.task_with_key(ref.text)) return *id;
  return core::refuse(core::Error{
      Code::kInvalidTaskId,
      "\"" + ref.text + "\" is neither a task's number nor its key",
      std::string{field},
      {},
      {}}.with("input", ref.text));
}

core::Result<core::Task> find_task(OperationContext& ctx, TaskRef const& ref, std::string_view field) {
  ANDON_TRY(auto const id, resolve(ctx, ref, field));
  auto task = ctx.tx.task(id);
  if (!task || is_hidden(ctx, task->board)) return not_found(id, field);
  return *std::move(task);
}

core::Result<core::Task> find_task(OperationContext& ctx, core::TaskId id) {
  auto task = ctx.tx.task(id);
  if (!task) return not_found(id, "id");
  return *std::move(task);
}

core::Result<core::Board const*> find_board(OperationContext& ctx, std::string_view name) {
  if (name.empty() && is_run(ctx)) name = ctx.caller.run->board;
  if (name.empty()) {
    auto const all = ctx.tx.boards();
    auto const first = std::ranges::find(all, false, &core::Board::archived);
    if (first == all.end())
      return core::refuse(Code::kBoardNotFound,
                          "there is no board yet; make one with: andon boards create NAME", "board");
    return *first;
  }
  auto const* board = ctx.tx.board(name);
  if (!board || is_hidden(ctx, board->name))
    return core::refuse(Code::kBoardNotFound,
                        "there is no board \"" + std::string{name} + "\"; see: andon boards list", "board");
  return board;
}

core::Result<core::Board const*> board_of(OperationContext& ctx, core::Task const& task) {
  auto const* board = ctx.tx.board(task.board);
  if (!board) return core::refuse(Code::kBoardNotFound, "there is no board \"" + task.board + "\"", "board");
  return board;
}

core::Result<core::Worker> find_worker(OperationContext& ctx, std::string_view name, std::string_view field) {
  auto const* worker = ctx.tx.worker(name);
  if (!worker)
    return core::refuse(core::Error{
        Code::kWorkerNotFound,
        "there is no worker \"" + std::string{name} + "\"; see: andon workers list",
        std::string{field},
        {},
        {}}.with("worker", std::string{name}));
  return *worker;
}

}  // namespace andon::service
