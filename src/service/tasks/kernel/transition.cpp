#include "service/tasks/kernel/transition.hpp"

#include "core/tasks/apply.hpp"
#include "core/tasks/review_rule.hpp"
#include "core/text/names.hpp"

namespace andon::service {
namespace {

using core::Code;
using core::Result;
using core::Stage;

/// Two edges of the strict machine have a condition: work is completed without a verdict only where none is
/// asked for, and blocked work returns to where it was.
bool fails_condition(Change const& change, Stage to) {
  auto const from = change.before.stage;
  if (from == Stage::active && to == Stage::done) return core::needs_review(change.board, change.before);
  if (from != Stage::blocked || (to != Stage::active && to != Stage::review)) return false;
  return core::stage_of(change.board, change.before.state.returns_to) != to;
}

std::string text_of(std::string const& column, Stage stage) {
  auto const name = std::string{core::to_text(stage)};
  return core::same_name(column, name) ? column : column + " (" + name + ")";
}

/// The names of the board's columns of a stage, with the stage where the name does not tell it. A stage
/// without a column is named itself, because every task can be blocked or archived.
std::string columns_of(core::Board const& board, Stage stage) {
  std::string out;
  for (auto const& column : board.columns)
    if (column.stage == stage) out += (out.empty() ? "" : ", ") + text_of(column.name, stage);
  return out.empty() ? std::string{core::to_text(stage)} : out;
}

std::string reason(Change const& change, core::Column const& to) {
  auto const id = "task #" + std::to_string(change.before.id);
  if (!core::is_legal(change.before.stage, to.stage))
    return "cannot go from " + text_of(change.before.status, change.before.stage) + " to " +
           text_of(to.name, to.stage);
  return id + (core::is_done(to.stage) ? " needs a verdict first: submit it"
                                       : " can go back only to where it was: unblock it");
}

std::unexpected<core::Error> illegal(Change const& change, core::Column const& to) {
  std::vector<std::string> stages;
  std::string columns;
  for (auto const stage : core::targets(change.before.stage)) {
    if (fails_condition(change, stage)) continue;
    stages.emplace_back(core::to_text(stage));
    columns += (columns.empty() ? "" : ", ") + columns_of(change.board, stage);
  }
  return core::refuse(core::Error{Code::kIllegalTransition,
                                  reason(change, to) + "; from here a task can go to: " + columns,
                                  "status",
                                  {},
                                  std::make_shared<core::Task const>(change.before)}
                          .with("id", change.before.id)
                          .with("allowed", std::move(stages)));
}

}  // namespace

std::string acting_worker(OperationContext const& ctx) {
  if (is_run(ctx)) return ctx.caller.run->worker;
  return ctx.caller.actor.kind == core::ActorKind::worker ? ctx.caller.actor.name : std::string{};
}

Result<void> check_approved(OperationContext const& ctx, core::Board const& board, core::Task const& task,
                            Stage to) {
  return acting_worker(ctx).empty() ? Result<void>{} : core::check_approved(board, task, to);
}

Result<void> check_approved(OperationContext& ctx, TaskRef const& id, core::Column const& to) {
  ANDON_TRY(auto const task, find_task(ctx, id));
  ANDON_TRY(auto const* board, board_of(ctx, task));
  return check_approved(ctx, *board, task, to.stage);
}

Result<void> check_allowed(OperationContext const& ctx, Change const& change, core::Column const& column) {
  auto const from = change.before.stage;
  ANDON_CHECK(check_approved(ctx, change.board, change.before, column.stage));
  bool const free = change.board.workflow == core::Workflow::open && !is_run(ctx);
  if (free || from == column.stage) return {};
  if (core::is_legal(from, column.stage) && !fails_condition(change, column.stage)) return {};
  return illegal(change, column);
}

}  // namespace andon::service
