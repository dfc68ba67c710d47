#include "service/tasks/task_actions.hpp"

#include "core/runs/retry.hpp"
#include "core/tasks/pick.hpp"
#include "core/text/names.hpp"
#include "service/check_text.hpp"
#include "service/tasks/agent_report.hpp"
#include "service/tasks/claim.hpp"
#include "service/tasks/create.hpp"
#include "service/tasks/edit_acts.hpp"
#include "service/tasks/place_or_queue.hpp"
#include "service/tasks/promotion.hpp"
#include "service/tasks/review.hpp"
#include "service/tasks/stop.hpp"
#include "service/tasks/transition.hpp"
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

/// Verbs about work follow the table on a strict board; on an open board they work from any open column.
Result<void> check_in_work(OperationContext const& ctx, Change const& change, Verb verb) {
  auto const stage = change.before.stage;
  bool const open_board = change.board.workflow == core::Workflow::open;
  if (!open_board || core::is_terminal(stage)) ANDON_CHECK(core::check_verb(stage, verb));
  return check_approved(ctx, change.board, change.before, Stage::active);
}

/// The stage after finished work: review if it needs a verdict, else done.
Stage end_of(Change const& change) {
  return needs_review(change.board, change.after) ? Stage::review : Stage::done;
}

/// A caller that hands work on can wait for room.
Result<void> check_room_for_caller(OperationContext& ctx, Change const& change, Stage stage, bool force) {
  return force ? Result<void>{} : check_room(ctx, change, stage);
}

Result<void> check_no_change(CompleteRequest const& r) {
  return check_optional_text(r.no_change, "no_change");
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

/// The column for handed work, or the refusal of the handoff.
Result<core::Column const*> handoff_column(OperationContext& ctx, Change const& change, bool to_review) {
  ANDON_CHECK(check_in_work(ctx, change, Verb::submit));
  auto const* review = core::first_column(change.board, Stage::review);
  auto const* column = review || to_review ? review : core::first_column(change.board, Stage::ready);
  if (!column)
    return core::refuse(Code::kInvalidInput, "board \"" + change.board.name + "\" has no review column",
                        "status");
  if (!is_run(ctx)) ANDON_CHECK(check_room(ctx, change, *column));
  return column;
}

Result<core::Task> hand_off(OperationContext& ctx, HandoffRequest const& r) {
  ANDON_CHECK(check_optional_text(r.note, "note"));
  ANDON_CHECK(check_optional_text(r.append_body, "append_body"));
  ANDON_CHECK(check_optional_text(r.block, "block"));
  if (!r.to.empty()) ANDON_CHECK(check_words({r.to}, "to", 1));
  ANDON_TRY(auto change, open_claimed(ctx, r.id, proof_of(r)));
  ANDON_TRY(auto const* column, handoff_column(ctx, change, r.to_review));
  if (!r.to.empty()) change.after.assignee = r.to;
  if (!r.note.empty()) ++change.after.state.notes;
  ANDON_CHECK(append_to_body(ctx, r.append_body, change));
  if (is_run(ctx)) return noted(ctx, keep_report(ctx, change, {"handoff", r.block, {}, {}}), r.note);
  if (r.take) ANDON_CHECK(take_claim(ctx, change, r.claim, open_dependencies_for(ctx, r.claim)));
  ANDON_TRY(auto const stopping, stop_first(ctx, change, {"move", column->name, "handed off", {}, {}}));
  if (stopping)
    return noted(ctx, save(ctx, change, EventKind::task_edited, {{"stopping", "handoff"}}), r.note);
  if (r.release) core::end_claim(change.after);
  place_or_queue(ctx, change, *column);
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

std::unexpected<core::Error> question_conflict(core::Task const& task, std::string_view because,
                                               std::string field, std::string const& asked) {
  auto text = "task #" + std::to_string(task.id) + " " + std::string{because};
  return core::refuse(core::Error{
      Code::kConflict, std::move(text), std::move(field), {}, std::make_shared<core::Task const>(task)}
                          .with("id", task.id)
                          .with("question", asked));
}

/// The task with its open question, when the run asks the same again.
Result<core::Task> standing_question(core::Task const& task, std::string const& text) {
  auto const& asked = task.question->text;
  if (asked == text) return task;
  return question_conflict(task, "has an open question already; ask again when it is answered", "text",
                           asked);
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

void apply_done(OperationContext& ctx, Change& change) {
  core::end_claim(change.after);
  change.after.state.last_failure.clear();
  change.after.not_before.reset();
  place_or_queue(ctx, change, end_of(change));
}

EventKind apply_failure(OperationContext& ctx, Change& change, std::string const& reason) {
  auto& task = change.after;
  bool const repeated = !reason.empty() && task.state.last_failure == reason;
  task.state.last_failure = reason;
  core::end_claim(task);
  if (task.attempt < task.max_attempts && !repeated) {
    place_or_queue(ctx, change, Stage::ready);
    task.state.retry_at = task.not_before = ctx.now + core::backoff(task.attempt, ctx.jitter);
    return EventKind::task_retried;
  }
  place_or_queue(ctx, change, Stage::failed);
  if (task.stage != Stage::failed) {
    task.blocked = true;
    task.block_reason = reason.empty() ? "its attempts are used up" : reason;
    // Accepted work that could not be joined is not accepted again by being unblocked.
    if (!core::is_terminal(change.before.stage)) task.state.returns_to = change.before.status;
  }
  return EventKind::task_failed;
}

void apply_block(OperationContext& ctx, Change& change, std::string const& reason) {
  auto& task = change.after;
  core::end_claim(task);
  if (!task.blocked) task.state.returns_to = change.before.status;
  task.blocked = true;
  task.block_reason = reason;
  place_or_queue(ctx, change, Stage::blocked);
}

void apply_unblock(OperationContext& ctx, Change& change) {
  auto& task = change.after;
  auto const* back = core::find_place(change.board, task.state.returns_to);
  task.blocked = false;
  task.block_reason.clear();
  task.state.returns_to.clear();
  task.state.last_failure.clear();
  if (change.before.stage == Stage::blocked) {
    if (back)
      place(change, *back, ctx.now);
    else
      place(change, Stage::ready, ctx.now);
  }
  // Its run has ended. Workers take only ready tasks; a person's own task stays in its column.
  if (task.run && core::is_in_work(task.stage) && !core::is_claimed(task, ctx.now))
    place(change, Stage::ready, ctx.now);
}

void apply_kill(OperationContext& ctx, Change& change) {
  core::end_claim(change.after);
  change.after.approved = false;
  if (core::first_column(change.board, Stage::backlog)) return place_or_queue(ctx, change, Stage::backlog);
  // A board without a backlog keeps killed work out of dispatch by the blocked mark.
  place(change, change.board.columns.front(), ctx.now);
  change.after.blocked = true;
  change.after.block_reason = "killed";
}

void apply_recover(OperationContext& ctx, Change& change) {
  core::end_claim(change.after);
  if (core::is_in_work(change.before.stage)) place_or_queue(ctx, change, Stage::ready);
}

bool is_approved_already(OperationContext& ctx, Change const& change) {
  auto const& task = change.before;
  if (!task.approved || core::is_terminal(task.stage) || task.stage == Stage::review) return false;
  return task.stage != Stage::backlog || must_wait(ctx, change.board, task);
}

Result<void> prepare_approve(OperationContext& ctx, Change& change) {
  if (!acting_worker(ctx).empty())
    return core::refuse(Code::kApprovalRequired, "only a person may approve a task");
  auto const stage = change.before.stage;
  if (stage == Stage::review)
    return core::refuse(core::Error{
        Code::kIllegalTransition,
        "task #" + std::to_string(change.before.id) + " waits for a verdict on its work: accept or reject it",
        {},
        {},
        {}}.with("allowed", std::vector<std::string>{"accept", "reject"}));
  bool const stays = stage == Stage::ready && core::is_unread(change.board, change.before);
  if (stage != Stage::backlog && !stays) ANDON_CHECK(core::check_verb(stage, Verb::approve));
  change.after.approved = true;
  if (stays || must_wait(ctx, change.board, change.after)) return {};
  place(change, Stage::ready, ctx.now);
  ANDON_CHECK(check_room(ctx, change));
  return check_holder(ctx, change);
}

Result<core::Task> approve_task(OperationContext& ctx, TaskRequest const& r) {
  ANDON_TRY(auto change, open(ctx, r.id));
  bool const is_person = acting_worker(ctx).empty();
  if (is_person && is_approved_already(ctx, change)) return change.before;
  ANDON_CHECK(prepare_approve(ctx, change));
  return save(ctx, change, EventKind::task_approved);
}

Result<void> prepare_start(OperationContext& ctx, Change& change, Proof const& proof) {
  auto const name = proof.claim.empty() ? holder(ctx) : proof.claim;
  if (!proof.epoch && !core::is_held_by(change.before, name, ctx.now))
    return core::refuse(core::Error{
        Code::kClaimRequired,
        "claim task #" + std::to_string(change.before.id) + " before starting it",
        {},
        {},
        {}}.with("status", change.before.status));
  if (change.before.stage != Stage::ready) ANDON_CHECK(core::check_verb(change.before.stage, Verb::start));
  ANDON_CHECK(check_dependencies_closed(ctx, change.before));
  place(change, Stage::active, ctx.now);
  return check_room(ctx, change);
}

Result<core::Task> start_task(OperationContext& ctx, HeldTaskRequest const& r) {
  ANDON_TRY(auto change, open_claimed(ctx, r.id, proof_of(r)));
  if (change.before.stage == Stage::active) return change.before;
  ANDON_CHECK(prepare_start(ctx, change, proof_of(r)));
  return save(ctx, change, EventKind::task_started);
}

Result<void> check_submit(OperationContext& ctx, Change const& change) {
  ANDON_CHECK(check_in_work(ctx, change, Verb::submit));
  if (core::first_column(change.board, Stage::review)) return {};
  return core::refuse(Code::kIllegalTransition,
                      "board \"" + change.board.name + "\" has no review column; use complete", "status");
}

Result<core::Task> submit_task(OperationContext& ctx, CompleteRequest const& r) {
  ANDON_CHECK(check_no_change(r));
  ANDON_TRY(auto change, open_claimed(ctx, r.id, proof_of(r)));
  ANDON_CHECK(check_submit(ctx, change));
  if (is_run(ctx)) return keep_report(ctx, change, {"done", {}, r.result, r.no_change});
  ANDON_CHECK(check_room_for_caller(ctx, change, Stage::review, r.force));
  change.after.result = r.result;
  ANDON_TRY(auto const stopping, stop_first(ctx, change, {"submit", {}, {}, {}, {}}));
  if (stopping) return save(ctx, change, EventKind::task_edited, {{"stopping", "submit"}});
  core::end_claim(change.after);
  place_or_queue(ctx, change, Stage::review);
  return save(ctx, change, EventKind::task_submitted, {{"result", for_history(r.result)}});
}

bool is_complete_already(Change const& change) {
  auto const& task = change.before;
  bool const waits = task.stage == Stage::review && needs_review(change.board, task);
  return waits || task.stage == Stage::done;
}

Result<void> check_complete(OperationContext& ctx, Change const& change) {
  return check_in_work(ctx, change, Verb::complete);
}

Result<void> check_fail(OperationContext& ctx, Change const& change) {
  return check_in_work(ctx, change, Verb::fail);
}

Result<core::Task> complete_task(OperationContext& ctx, CompleteRequest const& r) {
  ANDON_CHECK(check_no_change(r));
  ANDON_TRY(auto change, open_claimed(ctx, r.id, proof_of(r)));
  if (is_complete_already(change)) return change.before;
  ANDON_CHECK(check_complete(ctx, change));
  if (change.before.state.open_deps > 0 && is_run(ctx))
    return core::refuse(Code::kDependencyOpen,
                        "task #" + std::to_string(change.before.id) + " waits for other tasks");
  if (is_run(ctx)) return keep_report(ctx, change, {"done", {}, r.result, r.no_change});
  ANDON_CHECK(check_room_for_caller(ctx, change, end_of(change), r.force));
  if (!r.result.empty()) change.after.result = r.result;
  ANDON_TRY(auto const stopping, stop_first(ctx, change, {"complete", {}, {}, {}, {}}));
  if (stopping) return save(ctx, change, EventKind::task_edited, {{"stopping", "complete"}});
  apply_done(ctx, change);
  auto const kind = change.after.stage == Stage::done ? EventKind::task_completed : EventKind::task_submitted;
  return save(ctx, change, kind, {{"result", for_history(r.result)}});
}

Result<core::Task> fail_task(OperationContext& ctx, ReasonRequest const& r) {
  ANDON_CHECK(check_text(r.reason, "reason"));
  ANDON_TRY(auto change, open_claimed(ctx, r.id, proof_of(r)));
  ANDON_CHECK(check_fail(ctx, change));
  if (is_run(ctx)) return keep_report(ctx, change, {"fail", r.reason});
  ANDON_TRY(auto const stopping, stop_first(ctx, change, {"fail", {}, r.reason, {}, {}}));
  if (stopping) return save(ctx, change, EventKind::task_edited, {{"stopping", "fail"}});
  auto const kind = apply_failure(ctx, change, r.reason);
  return save(ctx, change, kind, {{"reason", r.reason}});
}

Result<void> check_handoff(OperationContext& ctx, Change const& change) {
  ANDON_CHECK(handoff_column(ctx, change, false));
  return {};
}

Result<core::Task> handoff_task(OperationContext& ctx, HandoffRequest const& r) {
  return with_body(ctx, hand_off(ctx, r));
}

Result<void> check_block(Change const& change) {
  auto const stage = change.before.stage;
  bool const strict = change.board.workflow == core::Workflow::strict && stage != Stage::blocked;
  return strict || core::is_terminal(stage) ? core::check_verb(stage, Verb::block) : Result<void>{};
}

Result<core::Task> block_task(OperationContext& ctx, BlockRequest const& r) {
  ANDON_CHECK(check_text(r.reason, "reason"));
  ANDON_TRY(auto choices, check_words(r.choices, "choices", kMostChoices));
  ANDON_TRY(auto change, open_claimed(ctx, r.id, proof_of(r)));
  ANDON_CHECK(check_block(change));
  if (is_run(ctx)) return keep_report(ctx, change, {"block", r.reason, {}, {}, std::move(choices)});
  ANDON_TRY(auto const stopping, stop_first(ctx, change, {"block", {}, r.reason, {}, {}}));
  if (stopping) return save(ctx, change, EventKind::task_edited, {{"stopping", "block"}});
  apply_block(ctx, change, r.reason);
  if (!choices.empty() || !acting_worker(ctx).empty())
    change.after.question =
        core::Question{r.reason, std::move(choices), core::to_text(ctx.caller.actor), ctx.now};
  return save(ctx, change, EventKind::task_blocked, {{"reason", r.reason}});
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

bool is_blocked(Change const& change) {
  return change.before.blocked || change.before.stage == Stage::blocked;
}

Result<void> prepare_unblock(OperationContext& ctx, Change& change) {
  apply_unblock(ctx, change);
  ANDON_CHECK(check_approved(ctx, change.board, change.before, change.after.stage));
  ANDON_CHECK(check_room(ctx, change));
  return check_holder(ctx, change);
}

Result<core::Task> unblock_task(OperationContext& ctx, TaskRequest const& r) {
  ANDON_TRY(auto change, open(ctx, r.id));
  if (is_run(ctx)) return core::refuse(Code::kForbidden, "a run cannot unblock a task");
  if (!is_blocked(change)) return change.before;
  ANDON_CHECK(prepare_unblock(ctx, change));
  return save(ctx, change, EventKind::task_unblocked, {{"title", change.after.title}});
}

Result<void> prepare_answer(OperationContext& ctx, Change& change) {
  auto const id = change.before.id;
  if (core::is_asked_by_live_run(change.before)) {
    change.after.question.reset();
    return {};
  }
  if (is_blocked(change)) return prepare_unblock(ctx, change);
  return core::refuse(core::Error{Code::kStatusConflict,
                                  "task #" + std::to_string(id) + " waits for no answer; use note",
                                  {},
                                  {},
                                  std::make_shared<core::Task const>(change.before)}
                          .with("id", id));
}

Result<core::Task> answer_task(OperationContext& ctx, AnswerRequest const& r) {
  ANDON_CHECK(check_text(r.text, "text"));
  ANDON_TRY(auto change, open(ctx, r.id));
  if (is_run(ctx)) return core::refuse(Code::kForbidden, "a run cannot answer a question");
  auto const& task = change.before;
  auto const asked = task.question ? task.question->text : task.block_reason;
  ANDON_CHECK(prepare_answer(ctx, change));
  if (!r.question.empty() && r.question != asked)
    return question_conflict(task, "asks something else by now; read it again", "question", asked);
  Facts facts{{"text", r.text}, {"question", asked}};
  if (task.question) facts.emplace_back("asked_at", core::to_text(task.question->asked_at));
  return save(ctx, change, EventKind::task_answered, std::move(facts));
}

Result<void> check_accept(OperationContext& ctx, Change const& change) {
  ANDON_CHECK(core::check_verb(change.before.stage, Verb::accept));
  return check_room(ctx, change, Stage::done);
}

Result<void> check_reject(OperationContext& ctx, Change const& change) {
  ANDON_CHECK(core::check_verb(change.before.stage, Verb::reject));
  return check_room(ctx, change, Stage::ready);
}

Result<core::Task> accept_task(OperationContext& ctx, TaskRequest const& r) {
  ANDON_TRY(auto change, open_for_verdict(ctx, r.id));
  if (change.before.stage == Stage::done) return change.before;
  ANDON_CHECK(check_accept(ctx, change));
  core::end_claim(change.after);
  change.after.flag.clear();
  place(change, Stage::done, ctx.now);
  return save(ctx, change, EventKind::task_accepted);
}

Result<core::Task> reject_task(OperationContext& ctx, RejectRequest const& r) {
  ANDON_CHECK(check_text(r.reason, "reason"));
  ANDON_TRY(auto change, open_for_verdict(ctx, r.id));
  ANDON_CHECK(check_reject(ctx, change));
  core::end_claim(change.after);
  change.after.state.last_failure = r.reason;
  change.after.flag.clear();
  place(change, Stage::ready, ctx.now);
  return save(ctx, change, EventKind::task_rejected, {{"reason", r.reason}});
}

Result<void> prepare_retry(OperationContext& ctx, Change& change) {
  auto& task = change.after;
  bool const waits = task.stage == Stage::ready && task.not_before && *task.not_before > ctx.now;
  bool const parked = task.blocked && !core::is_in_work(task.stage) && !core::is_terminal(task.stage);
  if (!waits && !parked) ANDON_CHECK(core::check_verb(task.stage, Verb::retry));
  ANDON_CHECK(check_approved(ctx, change.board, change.before, Stage::ready));
  task.not_before.reset();
  task.state.last_failure.clear();
  task.blocked = false;
  task.block_reason.clear();
  task.state.returns_to.clear();
  task.attempt = 0;
  task.approved = true;
  place(change, Stage::ready, ctx.now);
  ANDON_CHECK(check_room(ctx, change));
  return check_holder(ctx, change);
}

Result<core::Task> retry_task(OperationContext& ctx, TaskRequest const& r) {
  ANDON_TRY(auto change, open(ctx, r.id));
  if (is_run(ctx)) return core::refuse(Code::kForbidden, "a run cannot retry a task");
  ANDON_CHECK(prepare_retry(ctx, change));
  return save(ctx, change, EventKind::task_retried);
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
