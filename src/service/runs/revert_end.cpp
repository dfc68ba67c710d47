#include "service/runs/revert_end.hpp"

#include <algorithm>

#include "core/tasks/work_state.hpp"
#include "service/tasks/act.hpp"
#include "service/tasks/kernel/placement.hpp"
#include "service/tasks/kernel/unmerged_work.hpp"
#include "service/tasks/kernel/waiting.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

using core::Code;
using core::EventKind;
using core::Result;
using core::RevertState;
using core::Stage;

constexpr std::size_t kShortCommit = 12;
constexpr char kGoneBefore[] = "it was taken back by hand before";

/// The task's card and history tell how it goes.
void tell_of_revert(OperationContext& ctx, core::Run const& run, Facts const& facts) {
  auto engine = as_system(ctx);
  if (auto change = load_change(ctx, run.task)) save(engine, *change, EventKind::task_edited, facts);
}

Facts facts_of_revert(core::Revert const& revert, std::string const& branch) {
  Facts out{{"reverted", revert.commit}, {"branch", branch}, {"by", revert.by}};
  if (!revert.why.empty()) out.emplace_back("reason", revert.why);
  return out;
}

/// All landed work of the task is taken back by the one commit.
void mark_all(OperationContext& ctx, core::Run const& first) {
  for (auto& run : landed_runs(ctx, first.task)) {
    if (run.id == first.id) continue;
    run.revert = first.revert;
    ctx.tx.put(run);
  }
}

/// The next prompt holds the note.
void note_revert(OperationContext& ctx, core::Revert const& revert, core::Task const& task,
                 std::string const& branch) {
  auto const actor = core::parse_actor(revert.by);
  Caller const asker{actor.value_or(as_system(ctx).caller.actor), Role::admin, ctx.caller.source, {}};
  OperationContext voice{ctx.tx, ctx.now, asker, ctx.jitter, ctx.mutation, {}, ctx.origin, ctx.zones};
  core::Event event;
  event.kind = EventKind::task_noted;
  event.board = task.board;
  event.task = task.id;
  append_event(voice, std::move(event),
               {{"text", "The landed work of this task was taken back on " + branch + " by the commit " +
                             revert.commit.substr(0, kShortCommit) +
                             (revert.why.empty() ? std::string{"."} : ": " + revert.why)}});
}

void reopen(OperationContext& ctx, Change& change) {
  auto& task = change.after;
  core::end_claim(task);
  core::remark(task, core::WorkRemark::none);
  task.not_before.reset();
  task.attempt = 0;
  task.state.last_failure.clear();
  ++task.state.notes;
  bool const waits = !task.approved || must_wait(ctx, change.board, task);
  place_or_queue(ctx, change, waits ? Stage::backlog : Stage::ready);
}

/// A task that a person took up again meanwhile stays as it is.
void end_task_of_revert(OperationContext& ctx, core::Run const& run, std::string const& branch) {
  auto change = load_change(ctx, run.task);
  if (!change) return;
  auto const& revert = *run.revert;
  auto const facts = facts_of_revert(revert, branch);
  auto engine = as_system(ctx);
  bool const reopens = revert.then == core::AfterRevert::reopen;
  auto const stage = change->before.stage;
  if (reopens && core::is_terminal(stage)) {
    note_revert(ctx, revert, change->before, branch);
    reopen(engine, *change);
    save(engine, *change, EventKind::task_moved, facts);
  } else if (!reopens && core::is_done(stage)) {
    auto const event = apply(engine, *change, core::Verb::archive);
    save(engine, *change, event, facts);
  } else {
    save(engine, *change, EventKind::task_edited, facts);
  }
}

}  // namespace

Result<core::Run> plan_revert(OperationContext& ctx, core::Run run, std::string const& commit,
                              std::string const& onto) {
  auto const task = ctx.tx.task(run.task);
  if (!task || !core::is_terminal(task->stage))
    return core::refuse(Code::kConflict, "task #" + std::to_string(run.task) +
                                             " was taken up again; its work is not taken back");
  run.revert->commit = commit;
  run.revert->onto = onto;
  mark_revert(ctx, run, RevertState::waiting, {});
  return run;
}

Result<core::Run> end_revert(OperationContext& ctx, core::Run run, std::string const& commit,
                             std::string const& branch) {
  if (run.revert->commit != commit)
    return core::refuse(Code::kConflict, "no such revert was planned", "commit");
  bool const was_gone = run.revert->commit == run.revert->onto;
  mark_revert(ctx, run, RevertState::reverted, was_gone ? kGoneBefore : "");
  mark_all(ctx, run);
  end_task_of_revert(ctx, run, branch);
  return run;
}

Result<core::Run> hold_revert(OperationContext& ctx, core::Run run, std::string const& reason) {
  if (run.revert->reason == reason) return run;
  mark_revert(ctx, run, RevertState::waiting, reason);
  tell_of_revert(ctx, run, {{"revert", "waits"}, {"reason", reason}});
  return run;
}

Result<core::Run> refuse_revert(OperationContext& ctx, core::Run run, std::string const& reason) {
  run.revert->commit.clear();
  run.revert->onto.clear();
  mark_revert(ctx, run, RevertState::refused, reason);
  tell_of_revert(ctx, run, {{"revert", "refused"}, {"reason", reason}, {"by", run.revert->by}});
  return run;
}

bool was_reverted(OperationContext& ctx, core::TaskId task) {
  return std::ranges::any_of(ctx.tx.runs_of(task), [](core::Run const& run) {
    return run.revert && run.revert->state == RevertState::reverted;
  });
}

}  // namespace andon::service
