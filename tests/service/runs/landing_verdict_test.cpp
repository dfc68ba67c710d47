#include "service/runs/landing_verdict.hpp"

#include <doctest/doctest.h>

#include "service/insight/why.hpp"
#include "service/runs/dispatch.hpp"
#include "service/runs/run_report.hpp"
#include "service/runs/work.hpp"
#include "service/tasks/edit.hpp"
#include "service/tasks/move.hpp"
#include "service/tasks/task_actions.hpp"
#include "service/tasks/tasks.hpp"
#include "service/test_app.hpp"

using namespace andon;
using core::LandingState;
using core::Stage;
using test::agent;
using test::TestApp;
using enum service::LandingVerdict;

namespace {

std::vector<core::LandFinding> const kFound{{"deleted_files", 12, 10, {"a.js"}}};

/// A board that lands work, with work of task 1 that a person is asked about.
struct AskedYard : TestApp {
  explicit AskedYard(bool asks = true) : TestApp("classic") {
    service::BoardPolicies policies;
    policies.repo = "/srv/shop";
    policies.worktree = true;
    policies.land = core::LandingPolicy::automatic;
    call<&service::edit_board>({policies, board});
    add_worker("dev", {.role = "coder"});
    create("Cart", {.status = "todo", .role = "coder", .touches = {"src/**"}});
    run = start("dev");
    finish(run, {.result = "made it",
                 .exit = {.code = 0},
                 .branch = "andon/1-cart",
                 .commits = {"c1"},
                 .base = "b0",
                 .head = "c1"});
    if (asks) call<&service::ask_landing>({.id = 1, .findings = kFound});
  }
  core::Landing landing() { return *TestApp::call<&service::get_run>({.id = 1}).landing; }
  std::size_t queued() {
    std::size_t out = 0;
    executor.read([&](service::OperationContext& u) { out = service::landing_queue(u, {})->items.size(); });
    return out;
  }
  core::Run run;
};

}  // namespace

TEST_CASE("LandingVerdict.AskedWorkLeavesTheQueueAndItsTaskStaysWhatItIs") {
  AskedYard yard;
  CHECK(yard.landing().state == LandingState::asked);
  CHECK(yard.landing().findings == kFound);
  CHECK(yard.queued() == 0);
  CHECK(yard.get(1).stage == Stage::active);
  CHECK(yard.answer<&service::list_cards>({.board = yard.board}).contains(R"("landing_asked":true)"));
  auto const why = yard.answer<&service::why_not_running>({.id = 1});
  CHECK(why.contains("say whether it lands: 12 files deleted (at most 10): a.js"));
  CHECK(why.contains("judge_landing"));
  CHECK(yard.answer<&service::work_question>({}).contains(R"("state":"asked")"));
  CHECK(yard.refusal<&service::ask_landing>({.id = 1, .findings = kFound}) == "CONFLICT");
}

TEST_CASE("LandingVerdict.DependentsWaitForAskedWorkToo") {
  AskedYard yard;
  yard.create("Pay", {.status = "todo", .role = "coder", .depends_on = {1}});
  CHECK(yard.refusal<&service::dispatch_next>({.worker = "dev"}) == "NOTHING_TO_PICK");
  yard.call<&service::judge_landing>({.id = 1, .verdict = land});
  yard.call<&service::plan_landing>({.id = 1, .commit = "d1", .onto = "b1"});
  yard.call<&service::land_run>({.id = 1, .commit = "d1", .branch = "main"});
  CHECK(yard.TestApp::call<&service::dispatch_next>({.worker = "dev"}).task == 2);
}

TEST_CASE("LandingVerdict.ToLandPutsItBackIntoTheQueueOnce") {
  AskedYard yard;
  yard.call<&service::judge_landing>({.id = 1, .verdict = land}, test::person("ann"));
  CHECK(yard.landing().state == LandingState::waiting);
  CHECK(yard.landing().allowed_by == "user:ann");
  CHECK(yard.landing().findings == kFound);
  CHECK(yard.queued() == 1);
  auto const seq = yard.last_seq();
  yard.call<&service::judge_landing>({.id = 1, .verdict = land}, test::person("bob"));
  CHECK(yard.last_seq() == seq);
  CHECK(yard.landing().allowed_by == "user:ann");
  CHECK(yard.queued() == 1);
  CHECK(yard.refusal<&service::judge_landing>({.id = 1, .verdict = reject, .reason = "no"}) == "CONFLICT");
}

TEST_CASE("LandingVerdict.ToRejectSendsItBackOnceAndTheNextPromptHasTheReason") {
  AskedYard yard;
  CHECK(yard.refusal<&service::judge_landing>({.id = 1, .verdict = reject}) == "INVALID_INPUT");
  yard.call<&service::judge_landing>({.id = 1, .verdict = reject, .reason = "keep the docs"},
                                     test::person("ann"));
  CHECK(yard.landing().state == LandingState::returned);
  CHECK(yard.stored(1).stage == Stage::ready);
  CHECK(yard.stored(1).state.last_failure == "user:ann did not let it land: keep the docs");
  auto const seq = yard.last_seq();
  yard.call<&service::judge_landing>({.id = 1, .verdict = reject, .reason = "keep the docs"});
  CHECK(yard.last_seq() == seq);
  CHECK(yard.refusal<&service::judge_landing>({.id = 1, .verdict = land}) == "CONFLICT");
  yard.clock.advance(std::chrono::minutes{2});
  yard.call<&service::dispatch_next>({.worker = "dev"});
  auto const brief = yard.answer<&service::begin_run>({.id = 2, .token_hash = std::string(64, 'f')});
  CHECK(brief.contains("keep the docs"));
}

TEST_CASE("LandingVerdict.ToLandAsOneCommitIsKeptUntilTheWorkGoesBack") {
  AskedYard yard;
  CHECK(yard.refusal<&service::judge_landing>({.id = 1, .verdict = reject, .reason = "no", .squash = true}) ==
        "INVALID_INPUT");
  yard.call<&service::judge_landing>({.id = 1, .verdict = land, .squash = true}, test::person("ann"));
  CHECK(yard.landing().squash);
  CHECK(yard.landing().allowed_by == "user:ann");
  auto const seq = yard.last_seq();
  yard.call<&service::judge_landing>({.id = 1, .verdict = land, .squash = true});
  yard.call<&service::judge_landing>({.id = 1, .verdict = land});
  CHECK(yard.last_seq() == seq);
  yard.call<&service::ask_landing>({.id = 1, .findings = kFound});
  yard.call<&service::judge_landing>({.id = 1, .verdict = land}, test::person("bob"));
  CHECK(yard.landing().squash);
  yard.call<&service::return_landing>({.id = 1, .reason = "conflict"});
  CHECK_FALSE(yard.landing().squash);
  yard.clock.advance(std::chrono::minutes{2});
  auto const next = yard.start("dev");
  yard.finish(next, {.result = "made it",
                     .exit = {.code = 0},
                     .branch = "andon/1-cart",
                     .commits = {"c2"},
                     .base = "b0",
                     .head = "c2"});
  auto const landing = *yard.TestApp::call<&service::get_run>({.id = 2}).landing;
  CHECK(landing.state == LandingState::waiting);
  CHECK_FALSE(landing.squash);
}

TEST_CASE("LandingVerdict.WorkThatWasLetLandWithItsHistoryDoesNotBecomeOneCommit") {
  AskedYard yard;
  yard.call<&service::judge_landing>({.id = 1, .verdict = land});
  CHECK(yard.refusal<&service::judge_landing>({.id = 1, .verdict = land, .squash = true}) == "CONFLICT");
  CHECK_FALSE(yard.landing().squash);
}

TEST_CASE("LandingVerdict.HeadsThatLandedAsOneCommitAreKnownUntilTheyAreTakenBack") {
  AskedYard yard;
  yard.call<&service::judge_landing>({.id = 1, .verdict = land, .squash = true});
  CHECK_FALSE(yard.answer<&service::work_facts>({.tasks = {1}}).contains(R"("squashed")"));
  yard.call<&service::plan_landing>({.id = 1, .commit = "d1", .onto = "b1"});
  yard.call<&service::land_run>({.id = 1, .commit = "d1", .branch = "main"});
  CHECK(yard.answer<&service::work_facts>({.tasks = {1}}).contains(R"("squashed":["c1"])"));
}

TEST_CASE("LandingVerdict.OnlyAPersonAnswersAndOnlyWhatIsAsked") {
  AskedYard yard;
  for (auto const verdict : {land, reject})
    CHECK(yard.refusal<&service::judge_landing>({.id = 1, .verdict = verdict, .reason = "x"},
                                                agent(yard.run)) == "FORBIDDEN");
  CHECK(yard.landing().state == LandingState::asked);
  yard.create("Other", {.status = "todo"});
  CHECK(yard.refusal<&service::judge_landing>({.id = 2, .verdict = land}) == "CONFLICT");
  CHECK(yard.refusal<&service::judge_landing>({.id = 9, .verdict = land}) == "TASK_NOT_FOUND");
  AskedYard calm{false};
  CHECK(calm.refusal<&service::judge_landing>({.id = 1, .verdict = land}) == "CONFLICT");
  CHECK(calm.refusal<&service::judge_landing>({.id = 1, .verdict = reject, .reason = "x"}) == "CONFLICT");
}

TEST_CASE("LandingVerdict.ATaskThatIsTakenUpAgainAsksNoMore") {
  AskedYard yard;
  yard.call<&service::move_task>({.id = 1, .status = "todo", .force = true});
  CHECK(yard.landing().state == LandingState::withdrawn);
  CHECK_FALSE(yard.answer<&service::work_question>({}).contains(R"("state":"asked")"));
  CHECK(yard.refusal<&service::judge_landing>({.id = 1, .verdict = land}) == "CONFLICT");
}

TEST_CASE("LandingVerdict.ARunMayNotWidenTheTouchesOfItsTask") {
  TestApp app{"classic"};
  app.add_worker("dev", {.role = "coder"});
  app.create("Cart", {.status = "todo", .role = "coder", .touches = {"src/**"}});
  auto const run = app.start("dev");
  CHECK(app.refusal<&service::edit_task>({.id = 1, .touches = std::vector<std::string>{"**"}}, agent(run)) ==
        "FORBIDDEN");
}

TEST_CASE("LandingVerdict.OnlyTheAdministratorSetsLimits") {
  TestApp app;
  service::BoardPolicies policies;
  policies.land_limits = core::LandLimits{};
  CHECK(app.refusal<&service::edit_board>({policies, "classic"}, test::person("bob")) == "FORBIDDEN");
}
