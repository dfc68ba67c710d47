#include "core/tasks/apply.hpp"

#include <algorithm>

#include "core/tasks/backoff.hpp"
#include "core/tasks/claim.hpp"
#include "core/tasks/pick.hpp"
#include "core/tasks/plan_rule.hpp"
#include "core/tasks/review_rule.hpp"
#include "core/tasks/work_state.hpp"

namespace andon::core {
namespace {

std::string named(Task const& task) {
  return task.id == 0 ? "the new task" : "task #" + std::to_string(task.id);
}

Error conflict(Code code, Task const& task, std::string const& text, std::string field = {}) {
  return Error{code, named(task) + " " + text, std::move(field), {}, std::make_shared<Task const>(task)}.with(
      "id", task.id);
}

bool is_allowed_also(Also also, Change const& change, Instant now) {
  auto const& task = change.before;
  switch (also) {
    case Also::nowhere:
    case Also::blocked: return false;
    case Also::unread: return is_ready(task.stage) && is_unread(change.board, task);
    case Also::ready: return is_ready(task.stage);
    case Also::waiting_or_parked: break;
  }
  bool const waits = is_ready(task.stage) && task.not_before && *task.not_before > now;
  return waits || (task.blocked && !is_in_work(task.stage) && !is_terminal(task.stage));
}

/// True when no person has approved the task: it waits in the backlog, or was blocked or put away from there.
bool awaits_approval(Board const& board, Task const& task) {
  if (task.stage == Stage::backlog) return true;
  if (task.approved) return false;
  if (task.stage != Stage::blocked) return task.stage == Stage::archived;
  auto const& back = task.state.returns_to;
  return back.empty() || stage_of(board, back) == Stage::backlog;
}

Result<void> check_held(Change const& change, Situation const& situation, VerbInput const& input) {
  auto const& name = input.held_as.empty() ? situation.caller : input.held_as;
  if (input.has_epoch || is_held_by(change.before, name, situation.now)) return {};
  return refuse(
      Error{Code::kClaimRequired, "claim " + named(change.before) + " before starting it", {}, {}, {}}.with(
          "status", change.before.status));
}

Result<void> check_no_verdict_awaits(Task const& task) {
  if (task.stage != Stage::review) return {};
  return refuse(Error{
      Code::kIllegalTransition,
      named(task) + " waits for a verdict on its work: accept or reject it",
      {},
      {},
      {}}.with("allowed", std::vector<std::string>{"accept", "reject"}));
}

std::string asked_of(Task const& task) { return task.question ? task.question->text : task.block_reason; }

Result<void> check_guard(Guard guard, VerbRow const& row, Change const& change, Situation const& situation,
                         VerbInput const& input) {
  auto const& task = change.before;
  switch (guard) {
    case Guard::stage:
      if (is_allowed_also(row.also, change, situation.now)) return {};
      return check_stage(row.verb, task.stage, change.board.workflow);
    case Guard::person:
      return situation.is_agent ? refuse(Code::kApprovalRequired, "only a person may approve a task")
                                : Result<void>{};
    case Guard::no_verdict_awaits: return check_no_verdict_awaits(task);
    case Guard::approved:
      return situation.is_agent ? check_approved(change.board, task, Stage::active) : Result<void>{};
    case Guard::review_column:
      if (review_column(change.board)) return {};
      return refuse(Code::kIllegalTransition,
                    "board \"" + change.board.name + "\" has no review column; use complete", "status");
    case Guard::held: return check_held(change, situation, input);
    case Guard::no_dependency: return check_dependencies_closed(task, situation.open_dependencies);
    case Guard::run_waits_for_none:
      if (!situation.is_run || task.state.open_deps == 0) return {};
      return refuse(Code::kDependencyOpen, named(task) + " waits for other tasks");
    case Guard::something_to_end:
      if (situation.has_live_run || is_in_work(task.stage) || is_claimed(task, situation.now)) return {};
      return refuse(Code::kIllegalTransition, "nothing runs on " + named(task));
    case Guard::may_be_put_away:
      if (input.force || change.board.workflow != Workflow::strict) return {};
      return check_transition(task.stage, Stage::archived);
    case Guard::asks_something:
      if (is_asked_by_live_run(task) || is_blocked(task)) return {};
      return refuse(conflict(Code::kStatusConflict, task, "waits for no answer; use note"));
    case Guard::same_question:
      if (input.question.empty() || input.question == asked_of(task)) return {};
      return refuse(conflict(Code::kConflict, task, "asks something else by now; read it again", "question")
                        .with("question", asked_of(task)));
    case Guard::plan_judge:
      return situation.is_agent
                 ? refuse(Code::kApprovalRequired,
                          "the plan of " + named(task) + " waits for a person; an agent may not judge a plan")
                 : Result<void>{};
    case Guard::no_live_run:
      if (!situation.has_live_run) return {};
      return refuse(conflict(Code::kStatusConflict, task,
                             "still has a run; judge its plan when the run has ended, or kill the run"));
  }
  return {};
}

void clear_block(Task& task) {
  task.blocked = false;
  task.block_reason.clear();
  task.state.returns_to.clear();
}

void block(Change& change, VerbInput const& input) {
  auto& task = change.after;
  if (!task.blocked) task.state.returns_to = change.before.status;
  task.blocked = true;
  task.block_reason = input.reason;
  if (input.asks) task.question = input.asks;
}

void take_answer(Change& change) {
  if (is_asked_by_live_run(change.before)) return change.after.question.reset();
  clear_block(change.after);
  change.after.state.last_failure.clear();
}

/// A block for another reason stays.
void clear_plan_block(Change& change) {
  if (change.before.block_reason == kPlanWaits) clear_block(change.after);
}

void carry_out(Effect effect, Change& change, Situation const& situation, VerbInput const& input) {
  auto& task = change.after;
  switch (effect) {
    case Effect::approve: task.approved = true; break;
    case Effect::unapprove: task.approved = false; break;
    case Effect::begin_claim: begin_attempt(task, input.held_as, input.lease, situation.now); break;
    case Effect::end_claim: end_claim(task); break;
    case Effect::end_agents_claim:
      if (task.state.supervised) end_claim(task);
      break;
    case Effect::keep_result: task.result = input.result; break;
    case Effect::keep_new_result:
      if (!input.result.empty()) task.result = input.result;
      break;
    case Effect::keep_failure: task.state.last_failure = input.reason; break;
    case Effect::clear_failure: task.state.last_failure.clear(); break;
    case Effect::clear_not_before: task.not_before.reset(); break;
    case Effect::clear_attempts: task.attempt = 0; break;
    case Effect::clear_remark: remark(task, WorkRemark::none); break;
    case Effect::block: block(change, input); break;
    case Effect::clear_block: clear_block(task); break;
    case Effect::take_answer: take_answer(change); break;
    case Effect::accept_plan: task.plan_state = PlanState::accepted; break;
    case Effect::return_plan: task.plan_state = PlanState::returned; break;
    case Effect::clear_plan_block: clear_plan_block(change); break;
  }
}

/// One change on its way to its target.
struct Way {
  Change& change;
  Situation const& situation;
  VerbInput const& input;
  Entry entry;

  void enter(Column const& column) const {
    if (entry == Entry::queued) return place_or_queue(change, situation.load, column, situation.now);
    place(change, column, situation.now);
  }
  bool enter(Stage stage) const {
    if (auto const* column = landing_column(change.board, stage)) enter(*column);
    return change.after.stage == stage;
  }
  void enter_ready_if(bool condition) const {
    if (condition) enter(Stage::ready);
  }
};

void return_before_block(Way const& way) {
  auto& change = way.change;
  auto const now = way.situation.now;
  if (change.before.stage == Stage::blocked) {
    auto const& back = change.before.state.returns_to;
    auto const* column = find_place(change.board, back);
    column ? place(change, *column, now) : place(change, Stage::ready, now);
  }
  // Its run has ended. Workers take only ready tasks; a person's own task stays in its column.
  auto const& task = change.after;
  if (task.run && is_in_work(task.stage) && !is_claimed(task, now)) place(change, Stage::ready, now);
}

/// False when the attempt is repeated.
bool retry_or_park(Way const& way) {
  auto& task = way.change.after;
  auto const& reason = way.input.reason;
  bool const repeated = !reason.empty() && task.state.last_failure == reason;
  task.state.last_failure = reason;
  if (task.attempt < task.max_attempts && !repeated) {
    way.enter(Stage::ready);
    task.state.retry_at = task.not_before = way.situation.now + backoff(task.attempt, way.situation.jitter);
    return false;
  }
  if (way.enter(Stage::failed)) return true;
  task.blocked = true;
  task.block_reason = reason.empty() ? "its attempts are used up" : reason;
  // Accepted work that could not be joined is not accepted again by being unblocked.
  if (!is_terminal(way.change.before.stage)) task.state.returns_to = way.change.before.status;
  return true;
}

void return_to_backlog(Way const& way) {
  auto& change = way.change;
  if (backlog_column(change.board)) return void(way.enter(Stage::backlog));
  place(change, change.board.columns.front(), way.situation.now);
  change.after.blocked = true;
  change.after.block_reason = "killed";
}

void approve_into_ready(Way const& way) {
  auto const& change = way.change;
  bool const stays = change.before.stage == Stage::ready;
  way.enter_ready_if(!stays && !must_wait(change.board, change.after, way.situation.lacks_brief));
}

bool finish_work(Way const& way) {
  way.enter(needs_review(way.change.board, way.change.after) ? Stage::review : Stage::done);
  return way.change.after.stage == Stage::done;
}

/// Puts the task where the verb leads. False when it came elsewhere, and the row's other event tells of it.
bool go(Target target, Way const& way) {
  auto const& change = way.change;
  auto const stage = change.before.stage;
  bool const is_strict = change.board.workflow == Workflow::strict;
  switch (target) {
    case Target::stays: break;
    case Target::ready: way.enter(Stage::ready); break;
    case Target::ready_unless_waiting: approve_into_ready(way); break;
    // A plan that a person wrote before any run leaves the task where it is.
    case Target::ready_from_plan: way.enter_ready_if(waits_with_plan(change.before)); break;
    case Target::ready_from_work: way.enter_ready_if(is_in_work(stage)); break;
    case Target::ready_when_released:
      way.enter_ready_if(change.after.stage == Stage::claimed ||
                         (is_strict && is_in_work(change.after.stage)));
      break;
    case Target::claimed_from_ready:
      if (is_ready(stage) && claimed_column(change.board)) way.enter(Stage::claimed);
      break;
    case Target::active: way.enter(Stage::active); break;
    case Target::review: way.enter(Stage::review); return change.after.stage != Stage::done;
    case Target::end_of_work: return finish_work(way);
    case Target::blocked: way.enter(Stage::blocked); break;
    case Target::before_block: return_before_block(way); break;
    case Target::retry_or_failed: return retry_or_park(way);
    case Target::backlog_or_block: return_to_backlog(way); break;
    case Target::done: way.enter(Stage::done); break;
    case Target::archived: way.enter(Stage::archived); break;
    case Target::given:
      if (way.input.column) way.enter(*way.input.column);
      break;
    case Target::by_hand:
      if (!way.input.column) break;
      way.enter(*way.input.column);
      // Work that found its column full waits elsewhere, and stays approved.
      if (change.after.status == way.input.column->name) follow_column(way.change, way.input.reason);
      break;
  }
  return true;
}

}  // namespace

bool is_blocked(Task const& task) { return task.blocked || task.stage == Stage::blocked; }

bool must_wait(Board const& board, Task const& task, bool lacks_brief) {
  if (board.workflow != Workflow::strict) return false;
  return task.state.open_deps > 0 || (board.require_brief && lacks_brief);
}

Result<void> check_approved(Board const& board, Task const& task, Stage to) {
  if (is_held_back(to) || !awaits_approval(board, task)) return {};
  return refuse(Code::kApprovalRequired, "a person must approve this task first", "status");
}

Result<void> check_dependencies_closed(Task const& task, std::vector<TaskId> const& open) {
  if (task.state.open_deps == 0) return {};
  std::vector<std::string> ids;
  std::string text;
  for (auto const id : open) {
    ids.push_back(std::to_string(id));
    text += (text.empty() ? "#" : ", #") + ids.back();
  }
  return refuse(
      conflict(Code::kDependencyOpen, task, "waits for " + text).with("depends_on", std::move(ids)));
}

bool is_idle(Verb verb, Change const& change, Situation const& situation) {
  auto const& task = change.before;
  switch (verb) {
    case Verb::approve:
      if (situation.is_agent || !task.approved || is_terminal(task.stage) || task.stage == Stage::review)
        return false;
      return task.stage != Stage::backlog || must_wait(change.board, task, situation.lacks_brief);
    case Verb::release: return task.claimed_by.empty();
    case Verb::start: return task.stage == Stage::active;
    case Verb::complete:
      return task.stage == Stage::done || (task.stage == Stage::review && needs_review(change.board, task));
    case Verb::unblock: return !is_blocked(task);
    case Verb::accept: return task.stage == Stage::done;
    case Verb::archive:
    case Verb::remove: return task.stage == Stage::archived;
    default: return false;
  }
}

Result<void> check_stage(Verb verb, Stage stage, Workflow workflow) {
  auto const& row = core::row(verb);
  bool const is_free = row.from == From::work && workflow == Workflow::open && !is_terminal(stage);
  bool const stays = row.also == Also::blocked && stage == Stage::blocked;
  return is_free || stays ? Result<void>{} : check_verb(stage, row.steps_of.value_or(verb));
}

Result<void> check_caller(Verb verb, Situation const& situation) {
  auto const& row = core::row(verb);
  if (!situation.is_run || row.not_by_run.empty()) return {};
  return refuse(Code::kForbidden, "a run cannot " + std::string{row.not_by_run});
}

Result<void> check_guards(Verb verb, Change const& change, Situation const& situation,
                          VerbInput const& input) {
  auto const& row = core::row(verb);
  for (auto const guard : row.guards) ANDON_CHECK(check_guard(guard, row, change, situation, input));
  return {};
}

void keep_at_once(Verb verb, Change& change, VerbInput const& input) {
  Situation const any;
  for (auto const effect : row(verb).effects)
    if (effect == Effect::keep_result || effect == Effect::keep_new_result)
      carry_out(effect, change, any, input);
}

EventKind apply(Verb verb, Change& change, Situation const& situation, VerbInput const& input, Entry entry) {
  auto const& row = core::row(verb);
  for (auto const effect : row.effects) carry_out(effect, change, situation, input);
  bool const is_reached = go(row.to, {change, situation, input, entry});
  return is_reached ? row.event : row.otherwise;
}

Result<void> check_entry(Change const& change, Situation const& situation, VerbInput const& input) {
  if (situation.is_agent) ANDON_CHECK(check_approved(change.board, change.before, change.after.stage));
  return input.force ? Result<void>{} : check_room(change, situation.load);
}

}  // namespace andon::core
