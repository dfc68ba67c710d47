#include <random>
#include <set>

#include <doctest/doctest.h>

#include "core/actor.hpp"
#include "core/boards/load.hpp"
#include "core/boards/templates.hpp"
#include "core/boards/wip.hpp"
#include "core/runs/outcome.hpp"
#include "core/runs/retry.hpp"
#include "core/tasks/backoff.hpp"
#include "core/tasks/rank.hpp"
#include "support/builders.hpp"

using namespace andon;
using namespace std::chrono_literals;
using core::Outcome;
using core::Stage;
using test::a_board;
using test::a_task;

namespace {
Outcome judged(core::StopReason because) {
  core::Ending ending;
  ending.stopped_because = because;
  return core::judge(ending).outcome;
}
}  // namespace

TEST_CASE("Rank.OfAnIdSortsLikeTheId") {
  std::int64_t id = 0;
  auto last = core::rank_of(0);
  for (std::int64_t step = 1; id < 4'000'000'000'000'000; step = id < 10'000 ? 1 : step * 2) {
    id += step;
    auto const rank = core::rank_of(core::TaskId{id});
    REQUIRE(last < rank);
    REQUIRE(rank.back() != '0');
    last = rank;
  }
}

TEST_CASE("Rank.BetweenTwoIsStrictlyBetweenThem") {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    std::mt19937 random{seed};
    std::vector<std::string> ranks{core::rank_of(1), core::rank_of(2)};
    for (int i = 0; i < 3'000; ++i) {
      // The ends and one single gap are where ranks grow fastest.
      auto const n = ranks.size();
      auto const at = seed == 2 ? 0 : seed == 3 ? n : seed == 4 ? n / 2 : random() % (n + 1);
      auto const below = at == 0 ? "" : ranks[at - 1], above = at == n ? "" : ranks[at];
      auto const rank = core::rank_between(below, above);
      REQUIRE(rank > below);
      REQUIRE((above.empty() || rank < above));
      REQUIRE(rank.back() != '0');
      ranks.insert(ranks.begin() + static_cast<std::ptrdiff_t>(at), rank);
    }
  }
  CHECK_FALSE(core::rank_between("", "").empty());
}

TEST_CASE("Backoff.DoublesFromThirtySecondsToAnHourWithinAFifth") {
  core::Duration wait = 30s;
  for (int attempt = 1; attempt <= 20; ++attempt) {
    CHECK(core::backoff(attempt, 0.5) == wait);
    for (double const jitter : {0.0, 0.25, 0.999999}) {
      CHECK(core::backoff(attempt, jitter) >= wait * 4 / 5);
      CHECK(core::backoff(attempt, jitter) <= wait * 6 / 5);
    }
    wait = std::min<core::Duration>(wait * 2, 1h);
  }
  CHECK(core::backoff(0, 0.5) == 30s);
  CHECK(core::backoff(2'000'000'000, 0.5) == 1h);
}

TEST_CASE("Outcome.OurReasonComesBeforeTheBoardTheResultAndTheExit") {
  core::Ending ending;
  ending.exit.code = 1;
  CHECK(core::judge(ending).outcome == Outcome::failed);
  CHECK(core::judge(ending).reason == "exit code 1");
  ending.result_text = "Loading.\ncannot load libfoo.so.3\n\n";
  CHECK(core::judge(ending).reason == "exit code 1: cannot load libfoo.so.3");
  ending.has_result = true;
  CHECK(core::judge(ending).outcome == Outcome::incomplete);
  ending.has_evidence = true;
  CHECK(core::judge(ending).outcome == Outcome::succeeded);
  ending.result_is_error = true;
  ending.result_text = "cannot build\nmore";
  CHECK(core::judge(ending).outcome == Outcome::failed);
  CHECK(core::judge(ending).reason == "cannot build");
  ending.said = core::AgentReport::done;
  CHECK(core::judge(ending).outcome == Outcome::succeeded);
  ending.stopped_because = core::StopReason::killed;
  CHECK(core::judge(ending).outcome == Outcome::killed);
}

TEST_CASE("Outcome.AReviewWithoutItsVerdictHasFailedUnlessThereIsAnotherReason") {
  using Said = std::optional<core::AgentReport>;
  for (auto const said : {Said{}, Said{core::AgentReport::done}, Said{core::AgentReport::handoff}}) {
    core::Ending ending;
    ending.exit.code = 0;
    ending.has_evidence = true;
    ending.owes_verdict = true;
    ending.said = said;
    CHECK(core::judge(ending).outcome == Outcome::failed);
  }
  core::Ending ending;
  ending.owes_verdict = true;
  ending.said = core::AgentReport::block;
  CHECK(core::judge(ending).outcome == Outcome::blocked);
  ending.stopped_because = core::StopReason::killed;
  CHECK(core::judge(ending).outcome == Outcome::killed);
}

TEST_CASE("Outcome.SuccessNeedsEvidence") {
  core::Ending ending;
  ending.exit.code = 0;
  CHECK(core::judge(ending).outcome == Outcome::incomplete);
  ending.has_evidence = true;
  CHECK(core::judge(ending).outcome == Outcome::succeeded);
  ending.exit = {.code = {}, .signal = 9};
  CHECK(core::judge(ending).reason == "ended by signal 9");
  CHECK(core::judge(core::Ending{}).outcome == Outcome::failed);
}

TEST_CASE("Outcome.AFailedCheckOutweighsTheWordThatItIsDone") {
  std::vector<core::CheckResult> results{{"unit", true, ""}, {"lint", false, std::string(3'000, 'x') + "ä"}};
  auto const failed = core::failed_check(results);
  REQUIRE(failed);
  CHECK(failed->starts_with("check \"lint\" failed:\nx"));
  CHECK(failed->ends_with("xä"));
  CHECK(failed->size() < 2'100);
  CHECK_FALSE(core::are_green({}, results));
  results.pop_back();
  CHECK_FALSE(core::failed_check(results));
  CHECK(core::are_green({"unit"}, results));
  CHECK_FALSE(core::are_green({"unit", "lint"}, results));
  CHECK_FALSE(core::are_green({}, {}));
  core::Ending ending;
  ending.failed_check = *failed;
  ending.has_evidence = true;
  using Said = std::optional<core::AgentReport>;
  for (auto const& [said, outcome] : {std::pair{Said{}, Outcome::failed},
                                      {core::AgentReport::done, Outcome::failed},
                                      {core::AgentReport::block, Outcome::blocked},
                                      {core::AgentReport::handoff, Outcome::handed_off}}) {
    ending.said = said;
    CHECK(core::judge(ending).outcome == outcome);
  }
  ending.stopped_because = core::StopReason::timed_out;
  CHECK(core::judge(ending).outcome == Outcome::timed_out);
}

TEST_CASE("CrashLoop.IsThreeCrashesInARowOnMoreThanOneTask") {
  core::Run crash;
  crash.outcome = Outcome::failed;
  crash.ended = crash.started + 59s;
  auto other = crash, slow = crash, reported = crash, done = crash;
  other.task = 7;
  slow.ended = slow.started + 60s;
  reported.said = core::AgentReport::fail;
  done.outcome = Outcome::succeeded;
  auto const loops = [](std::vector<core::Run> runs) { return core::is_crash_loop(runs); };
  CHECK(loops({crash, crash, other}));
  CHECK(loops({crash, other, crash, done}));
  CHECK_FALSE(loops({crash, other}));
  CHECK_FALSE(loops({crash, crash, crash}));
  for (auto const& run : {slow, reported, done}) CHECK_FALSE(loops({crash, run, other}));
}

TEST_CASE("CrashScope.CrashesOfSeveralWorkersAreNoneOfTheirFault") {
  auto const run = [](std::string worker, core::TaskId task, Outcome outcome = Outcome::failed) {
    core::Run out;
    out.worker = std::move(worker);
    out.task = task;
    out.outcome = outcome;
    out.ended = out.started + 1s;
    out.reason = "exit code 1: no such model, request " + std::to_string(task);
    return out;
  };
  using Runs = std::vector<core::Run>;
  struct Row {
    Runs of_worker;
    Runs of_profile;
    core::CrashScope scope;
  };
  auto const a1 = run("ann", 1), a2 = run("ann", 2), b1 = run("ben", 1), b3 = run("ben", 3),
             c4 = run("cid", 4);
  auto const good = run("cid", 5, Outcome::succeeded);
  auto silent = b3;
  silent.reason = "no verdict: it ended without andon accept or andon reject";
  for (auto const& row :
       {Row{{a1}, {a1}, core::CrashScope::task}, Row{{a1, a2}, {a1, a2}, core::CrashScope::task},
        Row{{a1, a2, a1}, {a1, a2, a1}, core::CrashScope::worker},
        Row{{a1, a2, a1}, {a1, good, a2, a1}, core::CrashScope::worker},
        Row{{a1, a2, a1}, {a1, a2, b3}, core::CrashScope::account},
        Row{{c4}, {c4, b3, a1}, core::CrashScope::account},
        Row{{c4}, {c4, b3, good, a1}, core::CrashScope::task},
        Row{{c4}, {c4, silent, a1}, core::CrashScope::task}, Row{{b1}, {b1, a1, b1}, core::CrashScope::task},
        Row{{c4}, {}, core::CrashScope::task}})
    CHECK(core::scope_of_crash(row.of_worker, row.of_profile) == row.scope);
}

TEST_CASE("CrashScope.AProfileOfAnotherMachineIsAnotherOne") {
  core::Run run;
  CHECK_FALSE(core::shares_profile(run, run));
  run.agent = "claude";
  auto other = run, far = run;
  CHECK(core::shares_profile(run, other));
  other.agent = "codex";
  far.runner = "build";
  CHECK_FALSE(core::shares_profile(run, other));
  CHECK_FALSE(core::shares_profile(run, far));
}

TEST_CASE("Outcome.EveryWordHasItsOutcome") {
  for (auto const& [because, outcome] : {std::pair{core::StopReason::killed, Outcome::killed},
                                         {core::StopReason::timed_out, Outcome::timed_out},
                                         {core::StopReason::stale, Outcome::timed_out},
                                         {core::StopReason::over_budget, Outcome::over_budget},
                                         {core::StopReason::rate_limited, Outcome::rate_limited},
                                         {core::StopReason::overloaded, Outcome::rate_limited},
                                         {core::StopReason::fatal, Outcome::failed},
                                         {core::StopReason::withdrawn, Outcome::killed},
                                         {core::StopReason::lost, Outcome::lost}})
    CHECK(judged(because) == outcome);
  for (auto const& [report, outcome] : {std::pair{core::AgentReport::done, Outcome::succeeded},
                                        {core::AgentReport::handoff, Outcome::handed_off},
                                        {core::AgentReport::block, Outcome::blocked},
                                        {core::AgentReport::fail, Outcome::failed}}) {
    core::Ending ending;
    ending.said = report;
    ending.has_evidence = true;
    CHECK(core::judge(ending).outcome == outcome);
  }
}

TEST_CASE("Outcome.AResultOverUnfinishedWorkIsNoSuccess") {
  core::Ending ending;
  ending.has_result = true;
  ending.has_evidence = true;
  ending.exit.code = 0;
  CHECK(core::judge(ending).outcome == Outcome::succeeded);
  ending.unfinished = "1 in the background: make test";
  CHECK(core::judge(ending).outcome == Outcome::failed);
  CHECK(core::judge(ending).reason == ending.unfinished);
}

TEST_CASE("Judge.SuccessWithOpenWorkIsUnfinishedHoweverItIsSaid") {
  struct Row {
    std::optional<core::AgentReport> said;
    bool has_result, is_error;
    std::optional<core::StopReason> stopped;
    Outcome outcome;
    bool is_unfinished;
  };
  using core::AgentReport;
  using core::StopReason;
  for (auto const& row :
       {Row{{}, true, false, {}, Outcome::failed, true}, Row{{}, true, true, {}, Outcome::failed, false},
        Row{{}, false, false, {}, Outcome::succeeded, false},
        Row{AgentReport::done, true, false, {}, Outcome::failed, true},
        Row{AgentReport::done, false, false, {}, Outcome::failed, true},
        Row{AgentReport::done, true, false, StopReason::reported, Outcome::failed, true},
        Row{AgentReport::done, true, false, StopReason::killed, Outcome::killed, false},
        Row{{}, true, false, StopReason::rate_limited, Outcome::rate_limited, false},
        Row{AgentReport::handoff, true, false, {}, Outcome::handed_off, false},
        Row{AgentReport::block, true, false, {}, Outcome::blocked, false},
        Row{AgentReport::fail, true, false, {}, Outcome::failed, false}}) {
    core::Ending ending;
    ending.said = row.said;
    ending.has_result = row.has_result;
    ending.result_is_error = row.is_error;
    ending.stopped_because = row.stopped;
    ending.has_evidence = true;
    ending.exit.code = 0;
    for (auto const* failed_check : {"", "check \"unit\" failed"}) {
      ending.failed_check = failed_check;
      ending.unfinished = "1 in the background: make test";
      auto const judgement = core::judge(ending);
      CAPTURE(judgement.reason);
      CHECK(judgement.is_unfinished == row.is_unfinished);
      if (*failed_check == '\0' || row.is_unfinished) CHECK(judgement.outcome == row.outcome);
      ending.unfinished.clear();
      CHECK_FALSE(core::judge(ending).is_unfinished);
    }
  }
}

TEST_CASE("Wip.AColumnIsFullAtItsLimit") {
  core::Board const board = a_board().limited("doing", 3);
  auto const& doing = *core::find_column(board, "doing");
  core::Load load;
  core::Task task = a_task().in("doing");
  task.stage = Stage::active;
  for (int n = 0; n <= 4; ++n) {
    load.columns["doing"] = n;
    CHECK(core::is_full(doing, load) == (n >= 3));
    CHECK(core::check_wip(board, load, doing, task, nullptr).has_value() == (n < 3));
    CHECK(core::check_wip(board, load, doing, task, &task).has_value());
  }
  load.columns["doing"] = 3;
  auto const refused = core::check_wip(board, load, doing, task, nullptr).error();
  CHECK(refused.message.starts_with("doing is full (3/3)"));
  task.class_ = "expedite";
  CHECK(core::check_wip(board, load, doing, task, nullptr));
  load.classes["expedite"] = 1;
  CHECK(core::check_wip(board, load, doing, task, nullptr).error().message ==
        "expedite WIP limit reached (1/1 board-wide)");
  CHECK(core::check_wip(board, load, doing, task, &task));
  load.classes["expedite"] = 2;
  auto waiting = task, started = task;
  waiting.stage = Stage::backlog;
  started.stage = Stage::active;
  CHECK_FALSE(core::check_wip(board, load, doing, task, &waiting));
  CHECK(core::check_wip(board, load, doing, task, &started));
  task.stage = Stage::done;
  CHECK(core::check_class_wip(board, load, task, nullptr));
}

TEST_CASE("Board.FallsBackWhereItLacksAColumn") {
  auto const lands = [](char const* name, Stage stage) {
    auto const board = *core::board_from_template(name);
    auto const* column = core::landing_column(board, stage);
    return column ? column->name : std::string{"stays"};
  };
  CHECK(lands("classic", Stage::claimed) == "in_progress");
  CHECK(lands("classic", Stage::review) == "done");
  CHECK(lands("classic", Stage::failed) == "blocked");
  CHECK(lands("flow", Stage::failed) == "backlog");
  CHECK(lands("flow", Stage::blocked) == "stays");
  CHECK(lands("classic", Stage::archived) == "archived");
  CHECK(lands("queue", Stage::failed) == "failed");
  CHECK(core::stage_of(*core::board_from_template("classic"), "Archived") == Stage::archived);
}

TEST_CASE("Board.PrioritiesAreFoundByNameAndByNumberFromTheTop") {
  auto const board = *core::board_from_template("queue");
  CHECK(core::priority_index(board, "p0") == 2);
  CHECK(core::priority_index(board, "1") == 2);
  CHECK(core::priority_index(board, "3") == 0);
  for (auto const* bad : {"0", "4", "", "-1", "1x"}) CHECK_FALSE(core::priority_index(board, bad));
}

TEST_CASE("Templates.AreWhatTheContractSays") {
  auto const columns = [](core::Board const& board) {
    std::string out;
    for (auto const& c : board.columns)
      out += c.name + "(" + std::string{core::to_text(c.stage)} + (c.require_claim ? "!" : "") + ") ";
    return out;
  };
  auto const classic = *core::board_from_template("classic");
  CHECK(columns(classic) == "backlog(backlog) todo(ready) in_progress(active) blocked(blocked) done(done) ");
  CHECK(classic.workflow == core::Workflow::open);
  CHECK(classic.stale_after == 35min);
  CHECK(classic.priorities == std::vector<std::string>{"low", "medium", "high", "critical"});
  auto const queue = *core::board_from_template("queue");
  CHECK(columns(queue) ==
        "pending(backlog) ready(ready) claimed(claimed) in_progress(active) needs_review(review) "
        "completed(done) failed(failed) ");
  CHECK(queue.workflow == core::Workflow::strict);
  CHECK(queue.approval == core::Approval::trusted);
  CHECK(queue.trusted == std::vector<std::string>{"planner"});
  CHECK(queue.review_by.kind == core::Reviewer::checks);
  CHECK(queue.max_concurrent == 3);
  CHECK(queue.stale_after == 60min);
  CHECK_FALSE(queue.require_brief);
  auto const flow = *core::board_from_template("flow");
  CHECK(columns(flow) ==
        "backlog(backlog) todo(ready) in-progress(active!) review(review!) done(done) archived(archived) ");
  CHECK(flow.claim_timeout == 1h);
  CHECK_FALSE(core::board_from_template("other"));
  for (auto const name : core::template_names()) {
    auto const board = *core::board_from_template(name);
    CHECK(board.default_status == board.columns.front().name);
    CHECK(core::class_index(board, board.default_class));
    CHECK(core::priority_index(board, board.default_priority));
    CHECK(board.classes.front().bypass_column_wip);
    CHECK(board.classes.front().wip_limit == 1);
  }
}

TEST_CASE("Errors.HaveTheStatusOfTheContract") {
  for (auto const& [name, http] : {std::pair{"TASK_CLAIMED", 409},
                                   {"CLAIM_REQUIRED", 409},
                                   {"STALE_CLAIM", 409},
                                   {"WORKER_BUSY", 409},
                                   {"WIP_LIMIT_EXCEEDED", 409},
                                   {"CLASS_WIP_EXCEEDED", 409},
                                   {"ILLEGAL_TRANSITION", 409},
                                   {"DEPENDENCY_OPEN", 409},
                                   {"STATUS_CONFLICT", 409},
                                   {"REV_MISMATCH", 412},
                                   {"MALFORMED", 400},
                                   {"UNAUTHENTICATED", 401},
                                   {"FORBIDDEN", 403},
                                   {"FOREIGN_ORIGIN", 403},
                                   {"APPROVAL_REQUIRED", 403},
                                   {"NOT_FOUND", 404},
                                   {"METHOD_NOT_ALLOWED", 405},
                                   {"TOO_LARGE", 413},
                                   {"UNSUPPORTED_MEDIA", 415},
                                   {"INVALID_INPUT", 422},
                                   {"UNKNOWN_FIELD", 422},
                                   {"INVALID_STATUS", 422},
                                   {"INVALID_PRIORITY", 422},
                                   {"DEPENDENCY_CYCLE", 422},
                                   {"RATE_LIMITED", 429},
                                   {"NOTHING_TO_PICK", 204},
                                   {"PICK_UNFINISHED", 503},
                                   {"BUSY", 503},
                                   {"NO_SPACE", 507}}) {
    CAPTURE(name);
    auto const code = core::code_named(name);
    REQUIRE(code);
    CHECK(core::row(*code).http == http);
    CHECK(core::row(*code).name == name);
  }
  CHECK(core::row(core::Code::kInternalError).http == 500);
  CHECK_FALSE(core::code_named("task_claimed"));
}

TEST_CASE("Actor.SurvivesItsTextForm") {
  for (auto const* text :
       {"system", "user:ann", "worker:dev", "runner:local", "automation:planner", "telegram:77", "user:a:b"})
    CHECK(core::to_text(*core::parse_actor(text)) == text);
  for (auto const* bad : {"", "ann", "user:", "robot:x", "system:x"}) CHECK_FALSE(core::parse_actor(bad));
}
