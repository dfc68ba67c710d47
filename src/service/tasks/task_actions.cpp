#include "service/tasks/task_actions.hpp"

#include "service/check_text.hpp"
#include "service/tasks/act.hpp"
#include "service/tasks/edit_acts.hpp"
#include "service/tasks/kernel/claims.hpp"
#include "service/tasks/kernel/placement.hpp"
#include "service/tasks/kernel/stop_order.hpp"
#include "service/tasks/kernel/task_rules.hpp"
#include "service/tasks/kernel/transition.hpp"
#include "service/tasks/plan.hpp"
#include "service/with_body.hpp"

namespace andon::service {
namespace {

using core::Code;
using core::EventKind;
using core::Result;
using core::Stage;
using core::Verb;

constexpr std::size_t kMostChoices = 10;

Result<void> check_text(std::string const& text, std::string_view field) {
  return service::check_text(text, field, kNoteBytes);
}

/// Checks a text that may be absent.
Result<void> check_optional_text(std::string const& text, std::string_view field) {
  return text.empty() ? Result<void>{} : check_text(text, field);
}

core::Task noted(OperationContext& ctx, core::Task task, std::string const& note) {
  if (note.empty()) return task;
  core::Event event;
  event.kind = EventKind::task_noted;
  event.board = task.board;
  event.task = task.id;
  append_event(ctx, std::move(event), {{"text", note}});
  return task;
}

Result<core::Task> hand_off(OperationContext& ctx, HandoffRequest const& r) {
  ANDON_CHECK(check_optional_text(r.note, "note"));
  ANDON_CHECK(check_optional_text(r.append_body, "append_body"));
  ANDON_CHECK(check_optional_text(r.block, "block"));
  if (!r.to.empty()) ANDON_CHECK(check_words({r.to}, "to", 1));
  ANDON_TRY(auto change, open_claimed(ctx, r.id, proof_of(r)));
  ANDON_CHECK(
      core::check_guards(Verb::handoff, change, situation_of(ctx, change, core::row(Verb::handoff)), {}));
  ANDON_TRY(auto const* column, handoff_column(ctx, change, r.to_review));
  if (!r.to.empty()) change.after.assignee = r.to;
  if (!r.note.empty()) ++change.after.state.notes;
  ANDON_CHECK(append_to_body(ctx, r.append_body, change));
  if (is_run(ctx))
    return noted(ctx, keep_report(ctx, change, {core::AgentReport::handoff, r.block, {}, {}}), r.note);
  if (r.take) ANDON_CHECK(take_claim(ctx, change, r.claim, open_dependencies_for(ctx, r.claim)));
  ANDON_TRY(auto const stopping, stop_first(ctx, change, {Verb::move, column->name, "handed off"}));
  if (stopping) return noted(ctx, save_stopping(ctx, change, Verb::handoff), r.note);
  if (r.release) core::end_claim(change.after);
  apply(ctx, change, Verb::handoff, {.column = column});
  if (!r.block.empty()) {
    change.after.blocked = true;
    change.after.block_reason = r.block;
  }
  auto task =
      save(ctx, change, EventKind::task_submitted, {{"handoff", r.to}, {"title", change.after.title}});
  tell_acts(ctx, change);
  return noted(ctx, std::move(task), r.note);
}

std::string lines_of(std::vector<std::string> const& texts) {
  std::string out;
  for (auto const& text : texts) out += (out.empty() ? "" : "\n") + text;
  return out;
}

/// The task with its open question, when the run asks the same again.
Result<core::Task> standing_question(core::Task const& task, std::string const& text) {
  auto const& asked = task.question->text;
  if (asked == text) return task;
  return core::refuse(core::Error{
      Code::kConflict,
      "task #" + std::to_string(task.id) + " has an open question already; ask again when it is answered",
      "text",
      {},
      std::make_shared<core::Task const>(task)}
                          .with("id", task.id)
                          .with("question", asked));
}

/// A question that was answered meanwhile, or that is another one, stays as it is.
Result<core::Task> withdraw_question(OperationContext& ctx, Change& change, std::string const& text) {
  auto const& before = change.before;
  if (!core::is_asked_by_live_run(before) || before.question->text != text) return before;
  change.after.question.reset();
  return save(ctx, change, EventKind::task_asked, {{"withdrawn", text}});
}

std::unexpected<core::Error> not_in_work(core::Task const& task) {
  auto text = "task #" + std::to_string(task.id) + " is not in work, so its run can ask nothing";
  return core::refuse(
      core::Error{Code::kStatusConflict, std::move(text), {}, {}, std::make_shared<core::Task const>(task)}
          .with("id", task.id));
}

}  // namespace

Result<core::Task> approve_task(OperationContext& ctx, TaskRequest const& r) {
  return act(ctx, Verb::approve, r.id, {});
}

Result<core::Task> start_task(OperationContext& ctx, HeldTaskRequest const& r) {
  return act(ctx, Verb::start, r.id, proof_of(r), {.held_as = r.claim, .has_epoch = r.epoch.has_value()});
}

Result<core::Task> fail_task(OperationContext& ctx, ReasonRequest const& r) {
  ANDON_CHECK(check_text(r.reason, "reason"));
  return act(ctx, Verb::fail, r.id, proof_of(r), {.reason = r.reason});
}

Result<core::Column const*> handoff_column(OperationContext& ctx, Change const& change, bool to_review) {
  auto const* review = core::review_column(change.board);
  auto const* column = review || to_review ? review : core::ready_column(change.board);
  if (!column)
    return core::refuse(Code::kInvalidInput, "board \"" + change.board.name + "\" has no review column",
                        "status");
  if (!is_run(ctx)) ANDON_CHECK(check_room(ctx, change, *column));
  return column;
}

Result<core::Task> handoff_task(OperationContext& ctx, HandoffRequest const& r) {
  return with_body(ctx, hand_off(ctx, r));
}

Result<core::Task> block_task(OperationContext& ctx, BlockRequest const& r) {
  ANDON_CHECK(check_text(r.reason, "reason"));
  ANDON_TRY(auto choices, check_words(r.choices, "choices", kMostChoices));
  core::VerbInput input{.reason = r.reason, .choices = choices};
  if (!choices.empty() || !acting_worker(ctx).empty())
    input.asks = core::Question{r.reason, std::move(choices), core::to_text(ctx.caller.actor), ctx.now};
  return act(ctx, Verb::block, r.id, proof_of(r), input);
}

Result<core::Task> ask_permission(OperationContext& ctx, AskRequest const& r) {
  if (!is_run(ctx))
    return core::refuse(Code::kForbidden, "only a run may ask for a permission; use block to ask a person");
  ANDON_CHECK(check_text(r.text, "text"));
  ANDON_TRY(auto choices, check_words(r.choices, "choices", kMostChoices));
  if (choices.empty()) choices = {"Allow", "Deny"};
  ANDON_TRY(auto change, open_claimed(ctx, r.id, Proof{{}, r.epoch, false}));
  if (r.withdraw) return withdraw_question(ctx, change, r.text);
  if (core::is_asked_by_live_run(change.before)) return standing_question(change.before, r.text);
  change.after.question =
      core::Question{r.text, choices, core::to_text(ctx.caller.actor), ctx.now, ctx.caller.run->run};
  if (!core::is_asked_by_live_run(change.after)) return not_in_work(change.before);
  return save(ctx, change, EventKind::task_asked, {{"text", r.text}, {"choices", lines_of(choices)}});
}

Result<core::Task> unblock_task(OperationContext& ctx, TaskRequest const& r) {
  return act(ctx, Verb::unblock, r.id, {});
}

Result<core::Task> answer_task(OperationContext& ctx, AnswerRequest const& r) {
  ANDON_CHECK(check_text(r.text, "text"));
  return act(ctx, Verb::answer, r.id, {}, {.reason = r.text, .question = r.question});
}

Result<core::Task> accept_task(OperationContext& ctx, AcceptRequest const& r) {
  ANDON_TRY(auto const task, find_task(ctx, r.id));
  ANDON_CHECK(check_plan_hash(ctx, task.id, r.plan_hash));
  return act(ctx, Verb::accept, r.id, {});
}

Result<core::Task> reject_task(OperationContext& ctx, RejectRequest const& r) {
  ANDON_CHECK(check_text(r.reason, "reason"));
  return act(ctx, Verb::reject, r.id, {}, {.reason = r.reason});
}

Result<core::Task> retry_task(OperationContext& ctx, TaskRequest const& r) {
  return act(ctx, Verb::retry, r.id, {});
}

Result<core::Task> kill_task(OperationContext& ctx, TaskRequest const& r) {
  return act(ctx, Verb::kill, r.id, {});
}

Result<core::Task> note_task(OperationContext& ctx, NoteRequest const& r) {
  ANDON_CHECK(check_text(r.text, "text"));
  ANDON_TRY(auto change, open_foreign(ctx, r.id));
  auto const& task = change.before;
  if (is_run(ctx) && ctx.caller.run->task == task.id)
    ANDON_CHECK(core::check_claim(task, {ctx.caller.run->worker, ctx.caller.run->epoch, false}, ctx.now));
  ++change.after.state.notes;
  // The lease of a run is renewed by the process that supervises it, never by its agent.
  if (core::is_held_by(task, holder(ctx), ctx.now) && !task.state.supervised)
    core::renew(change.after, lease_of(change.board, task), ctx.now);
  return save(ctx, change, EventKind::task_noted, {{"text", r.text}});
}

}  // namespace andon::service
