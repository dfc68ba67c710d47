#include "service/runners/runner_yard.hpp"

using namespace andon;
using namespace andon::test;

TEST_CASE("Runners.TellOnceWhatTheyDidInARunThatWasGivenUp") {
  RunnerYard yard;
  auto const task = yard.ready("Task");
  auto const run = yard.start();
  yard.wait(*yard.app.get(task.id).claim_expires - yard.app.clock.now() + std::chrono::seconds{10});
  REQUIRE(yard.of_gone_runners().size() == 1);
  service::FinishRunRequest lost;
  lost.id = run.id;
  lost.stopped_because = core::StopReason::lost;
  yard.app.call<&service::finish_run>(lost);
  auto const before = yard.app.last_seq();
  service::FinishRunRequest late;
  late.id = run.id;
  late.has_result = true;
  late.branch = "andon/1-task";
  late.commits = {"c0ffee"};
  late.usage = core::Usage{.input = 5};
  for (int times = 0; times < 2; ++times) {
    auto const told = yard.app.call<&service::finish_run>(late, as_runner("build"));
    CHECK(told.told_late);
    CHECK(told.outcome == core::Outcome::lost);
    CHECK(told.commits == late.commits);
    CHECK(told.usage->input == 5);
  }
  auto const news = yard.app.events(before);
  REQUIRE(news.size() == 1);
  CHECK(news.front().kind == core::EventKind::task_noted);
  CHECK(service::fact_of(news.front(), "text") ==
        "run 1 was given up; its runner tells now that it made 1 commit on andon/1-task");
  CHECK(yard.app.get(task.id).stage == core::Stage::ready);
}

TEST_CASE("Runners.RunsGetHigherNumbersThanThoseWithFilesOnTheirHost") {
  RunnerYard yard;
  auto again = registration("build");
  again.last_run = 41;
  yard.begin("build", again);
  yard.ready("Task");
  CHECK(yard.next("build", 2)->id == 42);
  // Bounded by a run that exists, so that no number of registrations leads further.
  for (core::RunId const last : {core::RunId{10'043}, core::RunId{2'000'000'000}, core::RunId{-1}}) {
    again.last_run = last;
    CHECK(yard.app.refusal<&service::register_runner>(again, as_runner("build", 2)) == "INVALID_INPUT");
  }
  for (int registration = 0; registration < 3; ++registration) {
    again.last_run = 10'042;
    yard.begin("build", again);
  }
  again.last_run = 10'043;
  CHECK(yard.app.refusal<&service::register_runner>(again, as_runner("build", 2)) == "INVALID_INPUT");
}

TEST_CASE("Runners.TokensEndByRevokingTheRunner") {
  RunnerYard yard;
  auto const tokens = yard.app.call<&service::list_tokens>().items;
  auto const own = std::ranges::find(tokens, core::TokenKind::runner, &service::TokenView::kind);
  REQUIRE(own != tokens.end());
  CHECK(yard.app.refusal<&service::revoke_token>({own->id}) == "INVALID_INPUT");
  CHECK(yard.look("build").alive);
}

TEST_CASE("Runners.ReadTheFilesOfTasksOfTheirRunsOnly") {
  RunnerYard yard;
  auto const other = yard.app.create("Another task");
  yard.ready("Task");
  auto const run = yard.start();
  CHECK(yard.app.refusal<&service::get_attachment>({{std::to_string(other.id)}, "a.txt"},
                                                   as_runner("build")) == "FORBIDDEN");
  CHECK(yard.app.refusal<&service::get_attachment>({{std::to_string(run.task)}, "a.txt"},
                                                   as_runner("build")) == "NOT_FOUND");
}

TEST_CASE("Runners.TextsOfAReportOnARunAreBounded") {
  RunnerYard yard;
  yard.ready("Task");
  auto const run = yard.start();
  std::string const large(66'000, 'x');
  service::FinishRunRequest report;
  report.id = run.id;
  report.has_result = true;
  for (auto* text : {&report.result, &report.session, &report.branch, &report.base, &report.head,
                     &report.excess, &report.unfinished})
    *text = large;
  report.commits.assign(2'000, "c0ffee" + std::string(5'000, 'x'));
  report.checks.assign(110, {.name = large, .output = large});
  report.remarks.assign(110, large);
  report.left_out.assign(110, {.path = large, .reason = large});
  auto const kept = yard.app.call<&service::finish_run>(report, as_runner("build"));
  CHECK(kept.result.size() <= 65'536);
  for (auto const* text : {&kept.session, &kept.branch, &kept.base, &kept.head}) CHECK(text->size() <= 4'096);
  CHECK(kept.reason.size() <= 65'536);
  CHECK(kept.commits.size() <= 1'000);
  CHECK(kept.checks.size() <= 100);
  CHECK(kept.checks.front().output.size() <= 65'536);
  CHECK(kept.remarks.size() <= 100);
}
