#include "service/tasks/act.hpp"

#include <algorithm>

#include "core/tasks/work_state.hpp"
#include "service/tasks/kernel/claims.hpp"
#include "service/tasks/kernel/kept_plan.hpp"
#include "service/tasks/kernel/stop_order.hpp"
#include "service/tasks/kernel/transition.hpp"
#include "service/tasks/kernel/verdict.hpp"
#include "service/tasks/reactions/react.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

using core::EventKind;
using core::Result;
using core::Verb;
using core::VerbInput;

constexpr char kHowItGoesOn[] =
    "Reported. End now: the report takes effect when this run has ended and its checks have passed.";

Result<Change> open_for(OperationContext& ctx, Verb verb, TaskRef const& ref, Proof const& proof) {
  if (verb == Verb::accept || verb == Verb::reject) return open_for_verdict(ctx, ref);
  // Anybody may release a self-reported claim.
  bool const proves = verb == Verb::release && (is_run(ctx) || proof.epoch);
  return core::row(verb).heeds_claims || proves ? open_claimed(ctx, ref, proof) : open(ctx, ref);
}

/// A caller is refused when the column is full, unless the caller forces it.
core::Entry entry_of(core::VerbRow const& row, VerbInput const& input) {
  return input.force ? core::Entry::queued : row.entry;
}

Result<EventKind> change_by(OperationContext& ctx, Change& change, Verb verb,
                            core::Situation const& situation, VerbInput const& input) {
  auto const& row = core::row(verb);
  auto const event = core::apply(verb, change, situation, input, entry_of(row, input));
  if (row.entry != core::Entry::checked) return event;
  ANDON_CHECK(core::check_entry(change, situation, input));
  ANDON_CHECK(check_holder(ctx, change));
  return event;
}

Facts facts_of(core::VerbRow const& row, Change const& change, VerbInput const& input) {
  auto const& before = change.before;
  switch (row.tells) {
    case core::Tells::nothing: return {};
    case core::Tells::result: return {{"result", for_history(input.result)}};
    case core::Tells::reason: return {{"reason", input.reason}};
    case core::Tells::title: return {{"title", change.after.title}};
    case core::Tells::holder: return {{"by", before.claimed_by}};
    case core::Tells::answer: break;
  }
  Facts facts{{"text", input.reason},
              {"question", before.question ? before.question->text : before.block_reason}};
  if (before.question) facts.emplace_back("asked_at", core::to_text(before.question->asked_at));
  return facts;
}

core::StopOrder order_of(core::VerbRow const& row, VerbInput const& input) {
  core::StopOrder order{.verb = row.verb, .reason = input.reason};
  if (order.reason.empty()) order.reason = row.stop_reason;
  return order;
}

/// Orders the agent to be stopped. What the change would become is checked on a copy, for the verb is carried
/// out later.
Result<Acted> stop_for(OperationContext& ctx, Change& change, Verb verb, core::Situation const& situation,
                       VerbInput const& input) {
  auto trial = change;
  ANDON_CHECK(change_by(ctx, trial, verb, situation, input));
  ANDON_CHECK(stop_first(ctx, change, order_of(core::row(verb), input)));
  core::keep_at_once(verb, change, input);
  return Acted{EventKind::task_edited, {{"stopping", std::string{core::to_text(verb)}}}, true};
}

Report report_of(core::VerbRow const& row, VerbInput const& input) {
  return {*row.report, input.reason, input.result, input.no_change, input.choices};
}

/// Carries out a verb that is no report of a run.
Result<Acted> carry_out_at_once(OperationContext& ctx, Change& change, Verb verb,
                                core::Situation const& situation, VerbInput const& input) {
  auto const& row = core::row(verb);
  bool const stops = row.agent == core::Agent::stops_first && (!is_run(ctx) || verb == Verb::kill);
  if (stops && has_run_to_stop(ctx, change, verb)) return stop_for(ctx, change, verb, situation, input);
  ANDON_TRY(auto const event, change_by(ctx, change, verb, situation, input));
  return Acted{event, facts_of(row, change, input)};
}

/// Keeps the verdict on a plan. The history tells which plan it was about.
Result<void> add_judged_plan(OperationContext& ctx, Change const& change, VerbInput const& input,
                             Facts& facts) {
  if (change.after.plan_state == change.before.plan_state) return {};
  ANDON_TRY(auto digest, judge_kept_plan(ctx, change.after, input.reason));
  facts.emplace_back("plan", std::move(digest));
  return {};
}

}  // namespace

Result<Acted> carry_out(OperationContext& ctx, Change& change, Verb verb, VerbInput const& input) {
  auto const& row = core::row(verb);
  if (!is_run(ctx) || !row.report)
    return carry_out_at_once(ctx, change, verb, situation_of(ctx, change, row), input);
  record_agent_report(ctx, change.before, report_of(row, input));
  core::note_report(change.after);
  return Acted{};
}

Result<core::Task> act(OperationContext& ctx, Verb verb, TaskRef const& ref, Proof const& proof,
                       VerbInput const& input) {
  ANDON_TRY(auto&& change, open_for(ctx, verb, ref, proof));
  verb = core::meant_by(verb, change.before);
  auto const& row = core::row(verb);
  auto const situation = situation_of(ctx, change, row);
  ANDON_CHECK(core::check_caller(verb, situation));
  if (core::is_idle(verb, change, situation)) return change.before;
  ANDON_CHECK(core::check_guards(verb, change, situation, input));
  if (is_run(ctx) && row.report) return keep_report(ctx, change, report_of(row, input));
  ANDON_TRY(auto acted, carry_out_at_once(ctx, change, verb, situation, input));
  ANDON_CHECK(add_judged_plan(ctx, change, input, acted.facts));
  return save(ctx, change, acted.event, acted.facts);
}

Result<void> check_act(OperationContext& ctx, Change const& change, Verb verb,
                       core::Situation const& situation) {
  verb = core::meant_by(verb, change.before);
  auto const& row = core::row(verb);
  VerbInput const input;
  ANDON_CHECK(core::check_caller(verb, situation));
  if (!row.idle.empty() && core::is_idle(verb, change, situation))
    return core::refuse(core::Code::kStatusConflict,
                        "task #" + std::to_string(change.before.id) + " " + std::string{row.idle});
  ANDON_CHECK(core::check_guards(verb, change, situation, input));
  if (row.entry == core::Entry::checked) {
    auto trial = change;
    ANDON_CHECK(change_by(ctx, trial, verb, situation, input));
  }
  return row.agent == core::Agent::stops_first ? check_stop(ctx, change, verb) : Result<void>{};
}

core::Task save(OperationContext& ctx, Change& change, EventKind kind, Facts const& facts) {
  write(ctx, change, kind, facts);
  react(ctx, change);
  auto& task = change.after;
  if (!change.has_body) task.body.clear();
  // Reactions may have changed the task again: its chain counts as its children.
  if (auto const now = ctx.tx.task(task.id)) {
    task.rev = now->rev;
    task.file = now->file;
  }
  task.children = ctx.tx.progress(task.id);
  return shown(ctx, task);
}

core::Task save_stopping(OperationContext& ctx, Change& change, Verb verb) {
  return save(ctx, change, EventKind::task_edited, {{"stopping", std::string{core::to_text(verb)}}});
}

core::Task keep_report(OperationContext& ctx, Change& change, Report const& report) {
  auto task = change.before;
  if (write_report(ctx, change, report)) {
    react(ctx, change);
    change.after.body.clear();
    change.after.children = ctx.tx.progress(task.id);
    task = shown(ctx, change.after);
  }
  task.notice = kHowItGoesOn;
  return task;
}

core::Task add_task(OperationContext& ctx, core::Task task, ImportedTimestamps const& past) {
  auto const parent = task.parent;
  auto out = store_task(ctx, std::move(task), past);
  if (parent) update_progress(ctx, *parent);
  return out;
}

core::Task add_ready_task(OperationContext& ctx, core::Board const& board, core::Task task,
                          std::string const& status) {
  auto out = store_ready_task(ctx, board, std::move(task), status);
  if (out.parent) update_progress(ctx, *out.parent);
  return out;
}

void update_progress(OperationContext& ctx, core::TaskId parent) {
  react(ctx, Order{Reaction::update_parent, parent});
}

bool fill_ready_column(OperationContext& ctx, core::Board const& board) {
  bool const is_cut = react(ctx, Order{Reaction::fill_ready, 0, &board}) == store::kMostAtOnce;
  auto const* ready = core::ready_column(board);
  return is_cut && ready && !core::is_full(*ready, ctx.tx.load(board.id));
}

}  // namespace andon::service
