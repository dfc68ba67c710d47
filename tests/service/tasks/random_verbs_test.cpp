// Random verbs on random boards, through the real engine and beside the model of board_model.hpp.
//
// A step is one call of anybody: a person, a worker by name, a run, the engine. A refused call changes
// nothing. After one that works, the change of the task it is about is taken as it is; the model says what
// else has to follow: which other tasks change, how, and which events tell of it in which order.
// ANDON_RANDOM_STEPS sets the
// number of steps, ANDON_RANDOM_SEED the first board, which a failure names.
#include <algorithm>
#include <cstdlib>
#include <random>
#include <set>

#include <doctest/doctest.h>

#include "api/operation.hpp"
#include "service/runs/dispatch.hpp"
#include "service/runs/landing_queue.hpp"
#include "service/runs/sweep.hpp"
#include "service/tasks/board_model.hpp"
#include "service/tasks/claim.hpp"
#include "service/tasks/edit.hpp"
#include "service/tasks/finish.hpp"
#include "service/tasks/move.hpp"
#include "service/tasks/pick.hpp"
#include "service/tasks/task_actions.hpp"
#include "service/tasks/tasks.hpp"
#include "service/test_app.hpp"
#include "store/engine/unit/unit.hpp"

using namespace andon;
using namespace std::chrono_literals;
using core::EventKind;
using core::Stage;
using test::AnyCall;
using test::call_of;
using test::ToldEvent;

namespace {

constexpr int kStepsOfBoard = 250;
constexpr std::int64_t kMostTasks = 30;

int number_from(char const* variable, int otherwise) {
  auto const* given = std::getenv(variable);
  return given ? std::atoi(given) : otherwise;
}

/// Everything of the board that a step may change.
struct Picture {
  test::BoardModel::Tasks tasks;
  std::vector<core::Run> runs;
  std::vector<core::RunId> queue;
  core::Load load;
  core::EventSeq seq = 0;
};

struct RandomBoard : test::TestApp {
  explicit RandomBoard(unsigned seed)
      : TestApp(seed % 3 == 0   ? "classic"
                : seed % 3 == 1 ? "queue"
                                : "flow"),
        random(seed) {
    call<&service::edit_board>({policies(), board});
    for (auto const* name : {"dev", "ops"}) add_worker(name, {.role = "coder", .takes_unassigned = true});
    add_worker("judge", {.role = "reviewer"});
    executor.write([](service::OperationContext& ctx) { return service::set_runner(ctx, true), true; });
    create("First");
  }

  std::size_t below(std::size_t most) { return random() % most; }
  bool chance(std::size_t percent) { return below(100) < percent; }

  service::BoardPolicies policies() {
    service::BoardPolicies out;
    auto columns = this->columns();
    for (auto& column : columns)
      if (column.stage == Stage::ready && chance(60)) column.wip_limit = 2;
    out.columns = std::move(columns);
    out.review_by = core::parse_review_by(chance(50) ? "role:reviewer" : "person");
    out.chains = std::vector<core::ChainRule>{};
    if (chance(50)) {
      out.repo = "/srv/shop";
      out.worktree = true;
      out.land = core::LandingPolicy::automatic;
    }
    return out;
  }
  std::vector<core::Column> columns() {
    std::vector<core::Column> out;
    executor.read([&](service::OperationContext& ctx) { out = ctx.tx.boards().front()->columns; });
    return out;
  }
  core::Board config() {
    core::Board out;
    executor.read([&](service::OperationContext& ctx) { out = *ctx.tx.boards().front(); });
    return out;
  }

  Picture picture() {
    Picture out;
    executor.read([&](service::OperationContext& ctx) {
      for (std::int64_t id = 1; auto task = ctx.tx.task(core::TaskId{id}); ++id) {
        task->children = ctx.tx.progress(task->id);
        out.tasks.emplace(task->id, *std::move(task));
      }
      out.runs = ctx.tx.live_runs();
      auto const queue = service::landing_queue(ctx, {});
      for (auto const& item : queue->items) out.queue.push_back(item.run.id);
      out.load = ctx.tx.load(ctx.tx.boards().front()->id);
      out.seq = ctx.tx.last_seq();
    });
    return out;
  }

  core::TaskId any_task(Picture const& now) {
    return core::TaskId{static_cast<std::int64_t>(below(now.tasks.size()) + 1)};
  }
  std::string any_name() { return std::array{"ann", "bob", "dev", "ops", "judge"}[below(5)]; }
  std::string any_column(core::Board const& at) {
    return chance(10) ? std::string{"archived"} : at.columns[below(at.columns.size())].name;
  }

  std::mt19937 random;
  std::set<core::RunId> begun{};
};

core::NextTask next(std::string title, std::vector<core::NextTask> then = {}) {
  core::NextTask out;
  out.title = std::move(title);
  out.next_tasks = std::move(then);
  return out;
}

/// A call, by whom, and the task that it is about when it works.
struct Act {
  AnyCall call;
  service::Caller caller = test::ann();
  core::TaskId about{};  ///< 0 when the response names it
};

AnyCall random_verb(RandomBoard& board, core::TaskId id, std::string const& as) {
  switch (board.below(16)) {
    case 0: return call_of<&service::approve_task>({.id = id});
    case 1: return call_of<&service::claim_task>({.id = id, .by = as});
    case 2: return call_of<&service::release_task>({.id = id});
    case 3: return call_of<&service::start_task>({.id = id, .claim = as});
    case 4:
      return call_of<&service::submit_task>(
          {.id = id, .result = "made it", .claim = as, .force = board.chance(20)});
    case 5:
    case 6: return call_of<&service::complete_task>({.id = id, .claim = as, .force = board.chance(40)});
    case 7: return call_of<&service::fail_task>({.id = id, .reason = "it broke", .claim = as});
    case 8: return call_of<&service::block_task>({.id = id, .reason = "which one?", .claim = as});
    case 9: return call_of<&service::unblock_task>({.id = id});
    case 10: return call_of<&service::answer_task>({.id = id, .text = "the red one"});
    case 11: return call_of<&service::accept_task>({.id = id});
    case 12: return call_of<&service::reject_task>({.id = id, .reason = "not yet"});
    case 13: return call_of<&service::retry_task>({.id = id});
    case 14: return call_of<&service::kill_task>({.id = id});
    default: return call_of<&service::archive_task>({.id = id, .claim = as, .force = board.chance(50)});
  }
}

/// What an agent says about its own task.
AnyCall random_report(RandomBoard& board, core::TaskId id) {
  switch (board.below(4)) {
    case 0: return call_of<&service::fail_task>({.id = id, .reason = "it broke"});
    case 1: return call_of<&service::block_task>({.id = id, .reason = "which one?"});
    case 2: return call_of<&service::note_task>({.id = id, .text = "half of it"});
    default:
      return call_of<&service::complete_task>({.id = id, .result = "made it", .no_change = "nothing to do"});
  }
}

service::FinishRunRequest random_end(RandomBoard& board, core::RunId id) {
  service::FinishRunRequest out{
      .id = id, .result = "words", .exit = {.code = static_cast<int>(board.below(2))}};
  if (board.chance(25))
    out.stopped_because = std::array{core::StopReason::lost, core::StopReason::stale,
                                     core::StopReason::timed_out, core::StopReason::killed}[board.below(4)];
  if (board.chance(50)) {
    out.commits = {"c1"};
    out.base = "b0";
    out.head = "c1";
  }
  return out;
}

AnyCall random_edit(RandomBoard& board, Picture const& now, core::TaskId id) {
  auto const other = board.any_task(now);
  switch (board.below(5)) {
    case 0: return call_of<&service::edit_task>({.id = id, .add_deps = {other}, .force = true});
    case 1: return call_of<&service::edit_task>({.id = id, .parent = other, .force = true});
    case 2: return call_of<&service::edit_task>({.id = id, .autocomplete = true, .force = true});
    case 3: return call_of<&service::edit_task>({.id = id, .assignee = board.any_name(), .force = true});
    default: return call_of<&service::edit_task>({.id = id, .remove_deps = {other}, .force = true});
  }
}

/// A reviewer says nothing else about its task.
Act random_verdict(RandomBoard& board, core::Run const& run) {
  if (board.chance(50)) return {call_of<&service::accept_task>({.id = run.task}), test::agent(run)};
  return {call_of<&service::reject_task>({.id = run.task, .reason = "not yet"}), test::agent(run)};
}

Act random_act_on_run(RandomBoard& board, core::Run const& run) {
  if (run.state == core::RunState::starting && board.begun.insert(run.id).second) {
    auto hash = std::to_string(run.id);
    hash.insert(0, 64 - hash.size(), 'a');
    return {call_of<&service::begin_run>({.id = run.id, .token_hash = hash}), test::ann(), run.task};
  }
  if (!run.pid && board.chance(80))
    return {call_of<&service::adopt_run>({.id = run.id, .pid = 7, .process = "boot 7"}), test::ann(),
            run.task};
  if (!run.pid || board.chance(50))
    return {call_of<&service::finish_run>(random_end(board, run.id)), test::ann(), run.task};
  if (run.worker == "judge") return random_verdict(board, run);
  return {random_report(board, run.task), test::agent(run), run.task};
}

AnyCall random_new_task(RandomBoard& board, Picture const& now, core::Board const& at) {
  service::CreateTaskRequest out{.title = "Task"};
  if (board.chance(60)) out.status = board.any_column(at);
  if (board.chance(30)) out.parent = board.any_task(now);
  if (board.chance(30)) out.depends_on = {board.any_task(now)};
  if (board.chance(30)) out.next_tasks = {next("Next", {next("Last")}), next("Beside")};
  if (board.chance(40)) out.role = "coder";
  out.autocomplete = board.chance(20);
  return call_of<&service::create_task>(out);
}

Act random_act(RandomBoard& board, Picture const& now, core::Board const& at) {
  bool const is_of_run = !now.runs.empty() && board.chance(20);
  auto const id = is_of_run ? now.runs[board.below(now.runs.size())].task : board.any_task(now);
  auto const name = board.any_name();
  bool const may_grow = std::ssize(now.tasks) < kMostTasks;
  if (!now.runs.empty() && board.chance(25))
    return random_act_on_run(board, now.runs[board.below(now.runs.size())]);
  if (!now.queue.empty() && board.chance(25))
    return {call_of<&service::return_landing>({.id = now.queue.front(), .reason = "it conflicts"})};
  switch (board.below(10)) {
    case 0:
      if (may_grow) return {random_new_task(board, now, at)};
      [[fallthrough]];
    case 1: return {random_edit(board, now, id), test::ann(), id};
    case 2:
    case 3:
      return {call_of<&service::move_task>({.id = id,
                                            .status = board.any_column(at),
                                            .claim = board.chance(20) ? name : "",
                                            .force = board.chance(50)}),
              test::ann(), id};
    case 4: return {call_of<&service::pick_task>({.by = name})};
    case 5:
      return {
          call_of<&service::dispatch_next>({.worker = std::array{"dev", "ops", "judge"}[board.below(3)]})};
    case 6: return {random_verb(board, id, name), test::person(name), id};
    default: return {random_verb(board, id, {}), test::ann(), id};
  }
}

/// The events of a step on other tasks than the one it is about, in order.
std::vector<ToldEvent> told_of_others(std::vector<core::Event> const& events, core::TaskId about) {
  std::vector<ToldEvent> out;
  for (auto const& event : events) {
    bool const is_of_task = event.task && event.kind != EventKind::run_started &&
                            event.kind != EventKind::run_adopted && event.kind != EventKind::run_ended;
    if (is_of_task && *event.task != about) out.push_back({event.kind, *event.task});
  }
  return out;
}

std::string text_of(std::vector<ToldEvent> const& events) {
  std::string out;
  for (auto const& event : events)
    out += std::string{core::kEventKindNames[static_cast<std::size_t>(event.kind)]} + " #" +
           std::to_string(event.task) + ", ";
  return out;
}

void check_counts(Picture const& now) {
  std::map<std::string, std::int64_t, std::less<>> columns;
  for (auto const& [id, task] : now.tasks) {
    CAPTURE(std::int64_t{id});
    ++columns[task.status];
    REQUIRE(task.state.open_deps == test::count_open(task, now.tasks));
    REQUIRE(task.children.value_or(core::Progress{}) == test::count_progress(id, now.tasks));
    bool const is_supervised_at_its_end = task.state.supervised && core::is_finished(task.stage);
    REQUIRE_FALSE(is_supervised_at_its_end);
  }
  for (auto const& [status, count] : now.load.columns) REQUIRE(columns[status] == count);
  for (auto const& [status, count] : columns) REQUIRE(now.load.columns.find(status)->second == count);
  REQUIRE(std::set(now.queue.begin(), now.queue.end()).size() == now.queue.size());
}

/// Compares what the engine decided about other tasks with the model.
void check_others(test::BoardModel const& model, Picture const& now, core::TaskId about) {
  REQUIRE(model.tasks().size() == now.tasks.size());
  for (auto const& [id, wanted] : model.tasks()) {
    if (id == about) continue;
    auto const& task = now.tasks.at(id);
    CAPTURE(std::int64_t{id});
    REQUIRE(task.stage == wanted.stage);
    REQUIRE(task.status == wanted.status);
    REQUIRE(task.flag == wanted.flag);
    REQUIRE(task.parent == wanted.parent);
    REQUIRE(task.claimed_by == wanted.claimed_by);
    REQUIRE(task.state.chained == wanted.state.chained);
    REQUIRE(task.state.reviews == wanted.state.reviews);
  }
}

/// The task after the change that the act itself made to it. It may have changed again since, as the parent
/// or the work of another task.
core::Task as_first_changed(core::Board const& at, core::Task const& before, core::Task now,
                            std::vector<core::Event> const& events) {
  now.state.chained = before.state.chained;
  now.status = before.status;
  now.stage = before.stage;
  for (auto const& event : events)
    if (event.task == now.id && !event.to.empty()) {
      now.status = event.to;
      now.stage = core::stage_of(at, event.to);
      break;
    }
  return now;
}

/// An approval ends when the task is killed, or when somebody names the backlog as its place. Work that waits
/// there for room keeps it. An ordered move names its place in the order, and happens when the run ends.
void check_approval(core::Board const& at, Picture const& before, Picture const& after, core::TaskId about,
                    std::vector<core::Event> const& events) {
  auto const& now = after.tasks.at(about);
  if (now.approved || !before.tasks.at(about).approved) return;
  auto const run = std::ranges::find(before.runs, about, &core::Run::task);
  bool const is_ordered = run != before.runs.end() && run->stop && run->stop->verb == core::Verb::move &&
                          std::ranges::find(after.runs, run->id, &core::Run::id) == after.runs.end();
  bool const is_named = std::ranges::any_of(events, [&](core::Event const& event) {
    auto const& place = is_ordered ? run->stop->status : event.to;
    bool const is_backlog = !place.empty() && core::is_backlog(core::stage_of(at, place));
    return event.task == now.id && (event.kind == EventKind::task_killed || is_backlog);
  });
  REQUIRE(is_named);
}

void check_step(core::Board const& at, Picture const& before, Picture const& now, Act const& act,
                core::TaskId about, std::vector<core::Event> const& events, core::Instant when) {
  for (auto const& event : events)
    if (event.kind == EventKind::task_claimed)
      REQUIRE_FALSE(core::is_finished(now.tasks.at(*event.task).stage));
  bool const by_run = act.caller.role == service::Role::run;
  test::BoardModel model{at, before.tasks, when, act.caller.actor.name, by_run};
  if (before.tasks.contains(about)) {
    check_approval(at, before, now, about, events);
    model.change(as_first_changed(at, before.tasks.at(about), now.tasks.at(about), events));
  } else if (now.tasks.contains(about)) {
    model.add(now.tasks.at(about));
  }
  auto wanted = model.events();
  std::erase_if(wanted, [&](ToldEvent const& event) { return event.task == about; });
  CHECK_MESSAGE(told_of_others(events, about) == wanted,
                "told: " << text_of(told_of_others(events, about)) << "\nwanted: " << text_of(wanted));
  check_others(model, now, about);
}

template <auto F>
bool is(std::string_view operation) {
  return operation == api::row_of<F>().name;
}

core::TaskId is_about(Act const& act, api::Answer const& answer) {
  auto const& operation = act.call.operation;
  // A verdict on a review task is one on the work that it reviews.
  bool const is_verdict = is<&service::accept_task>(operation) || is<&service::reject_task>(operation);
  if (act.about != 0 && !is_verdict) return act.about;
  bool const is_run = is<&service::dispatch_next>(operation) || is<&service::return_landing>(operation);
  return core::TaskId{answer.number(is_run ? "task" : "id").value_or(0)};
}

/// Returns the number of calls that worked.
int play(unsigned seed, int steps) {
  RandomBoard board{seed};
  auto const at = board.config();
  auto before = board.picture();
  int worked = 0;
  for (int step = 0; step < steps; ++step) {
    auto const act = random_act(board, before, at);
    CAPTURE(seed);
    CAPTURE(step);
    CAPTURE(act.call.operation);
    CAPTURE(std::int64_t{act.about});
    auto const answer = board.ask(act.call, act.caller);
    auto now = board.picture();
    auto const events = board.events(before.seq);
    if (answer) {
      ++worked;
      check_step(at, before, now, act, is_about(act, *answer), events, board.clock.now());
      check_counts(now);
    } else {
      CAPTURE(answer.error().message);
      REQUIRE(answer.error().code != core::Code::kInternalError);
      REQUIRE(events.empty());
      REQUIRE(now.tasks == before.tasks);
    }
    before = std::move(now);
    if (board.chance(10)) board.clock.advance(std::chrono::minutes{board.below(90)});
  }
  return worked;
}

}  // namespace

TEST_CASE("RandomVerbs.EveryBoardStaysAsTheModelSays") {
  auto const steps = number_from("ANDON_RANDOM_STEPS", 10'000);
  auto const first = number_from("ANDON_RANDOM_SEED", 0);
  int worked = 0;
  for (int done = 0; done < steps; done += kStepsOfBoard)
    worked +=
        play(static_cast<unsigned>(first + done / kStepsOfBoard), std::min(kStepsOfBoard, steps - done));
  // Most calls of such a game are refused; the others must be enough to try something.
  CHECK(worked > steps / 5);
}
