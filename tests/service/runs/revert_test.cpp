#include "service/runs/revert.hpp"

#include <doctest/doctest.h>

#include "service/insight/why.hpp"
#include "service/runs/dispatch.hpp"
#include "service/runs/landing_queue.hpp"
#include "service/runs/run_report.hpp"
#include "service/runs/work.hpp"
#include "service/tasks/act.hpp"
#include "service/tasks/edit.hpp"
#include "service/tasks/move.hpp"
#include "service/tasks/task_actions.hpp"
#include "service/tasks/tasks.hpp"
#include "service/test_app.hpp"

using namespace andon;
using core::RevertState;
using core::Stage;
using test::agent;
using test::TestApp;

namespace {

/// A board whose server lands work, and a worker.
struct RevertYard : TestApp {
  explicit RevertYard(std::string_view template_ = "classic") : TestApp(template_) {
    service::BoardPolicies policies;
    policies.repo = "/srv/shop";
    policies.worktree = true;
    policies.land = core::LandingPolicy::automatic;
    call<&service::edit_board>({policies, board});
    add_worker("dev", {.role = "coder", .capacity = 9});
  }
  core::TaskId add(std::string_view title, service::CreateTaskRequest request = {}) {
    request.status = board == "queue" ? "ready" : "todo";
    request.role = "coder";
    return create(title, request).id;
  }
  /// The next task is done, and its work waits to be landed.
  core::Run work(int number) {
    auto const text = std::to_string(number);
    service::FinishRunRequest ending{.result = "made it", .exit = {.code = 0}};
    ending.commits = {"c" + text};
    ending.base = "b" + text;
    ending.head = "c" + text;
    return finish(start("dev"), ending);
  }
  core::Run landed(int number) {
    auto const run = work(number);
    auto const text = std::to_string(number);
    call<&service::plan_landing>({.id = run.id, .commit = "d" + text, .onto = "o" + text});
    call<&service::land_run>({.id = run.id, .commit = "d" + text, .branch = "main"});
    return run;
  }
  core::Task revert(core::TaskId id, core::AfterRevert then = core::AfterRevert::reopen,
                    std::string reason = {}) {
    return call<&service::revert_task>({.id = id, .then = then, .reason = std::move(reason)});
  }
  std::string why_refused(core::TaskId id) { return error<&service::revert_task>({.id = id}).message; }
  void take_back(core::RunId id, std::string const& commit = "r1") {
    call<&service::plan_landing>({.id = id, .commit = commit, .onto = "d9"});
    call<&service::land_run>({.id = id, .commit = commit, .branch = "main"});
  }
  std::optional<core::Revert> revert_of(core::RunId id) { return call<&service::get_run>({.id = id}).revert; }
  std::vector<service::LandingPlace> queue() {
    std::vector<service::LandingPlace> out;
    executor.read([&](service::OperationContext& u) { out = service::landing_queue(u, {})->items; });
    return out;
  }
};

bool has(std::string const& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("Revert.WaitsInTheQueueBehindWorkThatWaitsAndThenReopensTheTask") {
  RevertYard yard;
  auto const cart = yard.add("Cart");
  auto const run = yard.landed(1);
  yard.add("Basket");
  auto const waiting = yard.work(2);
  auto const asked = yard.revert(cart, core::AfterRevert::reopen, "it breaks the shop");
  CHECK(asked.stage == Stage::done);
  CHECK(has(asked.notice, "landing queue"));
  auto const queue = yard.queue();
  REQUIRE(queue.size() == 2);
  CHECK(queue[0].run.id == waiting.id);
  CHECK_FALSE(queue[0].is_revert());
  CHECK(queue[1].run.id == run.id);
  REQUIRE(queue[1].take_back.size() == 1);
  CHECK(queue[1].take_back.front().commit == "d1");
  CHECK(yard.revert_of(run.id)->by == "user:ann");
  CHECK(has(yard.why_refused(cart), "waits to be taken back already"));
  CHECK(has(yard.answer<&service::why_not_running>({.id = cart}), "waits to be taken back"));

  auto const seq = yard.last_seq();
  yard.take_back(run.id);
  CHECK(yard.revert_of(run.id)->state == RevertState::reverted);
  CHECK(yard.queue().size() == 1);
  auto const open = yard.stored(cart);
  CHECK(open.stage == Stage::ready);
  CHECK(open.attempt == 0);
  CHECK(yard.kinds(seq) == std::vector<std::string>{"task.noted", "task.moved"});
  auto const events = yard.events(seq);
  CHECK(core::to_text(events[0].actor) == "user:ann");
  CHECK(events[1].data ==
        R"({"reverted":"r1","branch":"main","by":"user:ann","reason":"it breaks the shop"})");
  CHECK(has(yard.why_refused(cart), "was taken back already"));

  auto const next = yard.call<&service::dispatch_next>({.worker = "dev"});
  auto const brief = yard.answer<&service::begin_run>({.id = next.id, .token_hash = std::string(64, 'f')});
  CHECK(has(brief, "was taken back on main by the commit r1: it breaks the shop"));
}

TEST_CASE("Revert.ClosesATaskThatNobodyWants") {
  RevertYard yard;
  auto const cart = yard.add("Cart");
  auto const run = yard.landed(1);
  auto const pay = yard.create("Pay", {.depends_on = {cart}}).id;
  auto const asked = yard.revert(cart, core::AfterRevert::close);
  REQUIRE(asked.warnings.size() == 1);
  CHECK(has(asked.warnings.front(), "#" + std::to_string(pay) + " \"Pay\""));
  yard.take_back(run.id);
  CHECK(yard.get(cart).stage == Stage::archived);
  CHECK(yard.events().back().kind == core::EventKind::task_archived);
  auto const facts = yard.call<&service::work_facts>({.tasks = {cart}});
  CHECK_FALSE(facts.items.front().landed);
}

TEST_CASE("Revert.TasksThatFollowAndAreOpenWaitAgain") {
  RevertYard yard;
  auto const cart = yard.add("Cart");
  auto const run = yard.landed(1);
  auto const pay = yard.create("Pay", {.depends_on = {cart}}).id;
  CHECK(yard.stored(pay).state.open_deps == 0);
  yard.revert(cart);
  yard.take_back(run.id);
  CHECK(yard.stored(pay).state.open_deps == 1);
}

TEST_CASE("Revert.NamesWhatFollowsAndHasLandedWaitsOrIsInWork") {
  RevertYard yard;
  auto const cart = yard.add("Cart");
  auto const run = yard.landed(1);
  auto const pay = yard.add("Pay", {.depends_on = {cart}});
  auto const paid = yard.landed(2);
  auto const ship = yard.add("Ship", {.parent = cart});
  yard.work(3);
  auto const bill = yard.add("Bill", {.depends_on = {pay}});
  yard.start("dev");
  yard.create("Later", {.depends_on = {cart}});
  auto const why = yard.why_refused(cart);
  CHECK(has(why, "#" + std::to_string(pay) + " \"Pay\" (its work has landed)"));
  CHECK(has(why, "#" + std::to_string(ship) + " \"Ship\" (its work waits to be landed)"));
  CHECK(has(why, "#" + std::to_string(bill) + " \"Bill\" (it is in work)"));
  CHECK_FALSE(has(why, "Later"));
  CHECK(has(why, "take back or stop those first"));
  CHECK_FALSE(yard.revert_of(run.id));
  CHECK_FALSE(yard.revert_of(paid.id));
}

TEST_CASE("Revert.ChainsStandInTheWayOnlyWhenTheirWorkIsThere") {
  RevertYard yard;
  service::CreateTaskRequest request;
  request.next_tasks = {{.title = "QA", .role = "coder"}};
  auto const cart = yard.add("Cart", request);
  yard.landed(1);
  auto const qa = yard.landed(2);
  CHECK(has(yard.why_refused(cart), "\"QA\" (its work has landed)"));
  yard.revert(qa.task, core::AfterRevert::close);
  CHECK(has(yard.why_refused(cart), "\"QA\""));
  yard.take_back(qa.id);
  yard.revert(cart);
}

TEST_CASE("Revert.AtMostTwentyNamesAreTold") {
  RevertYard yard;
  auto const cart = yard.add("Cart");
  yard.landed(1);
  for (int i = 0; i < 23; ++i) {
    yard.add("Part " + std::to_string(i), {.depends_on = {cart}});
    yard.landed(i + 2);
  }
  auto const why = yard.why_refused(cart);
  CHECK(has(why, "\"Part 19\""));
  CHECK_FALSE(has(why, "\"Part 20\""));
  CHECK(has(why, "and 3 more"));
}

TEST_CASE("Revert.RefusesWhatWasNotLandedByTheServer") {
  RevertYard yard;
  auto const cart = yard.add("Cart");
  CHECK(has(yard.why_refused(cart), "has no work that the server landed"));
  auto const run = yard.work(1);
  CHECK(has(yard.why_refused(cart), "has no work that the server landed"));
  // Somebody had merged the branch by hand: nothing was added by the landing.
  yard.call<&service::plan_landing>({.id = run.id, .commit = "d1", .onto = "d1"});
  yard.call<&service::land_run>({.id = run.id, .commit = "d1", .branch = "main"});
  CHECK(has(yard.why_refused(cart), "was on the default branch before"));
  TestApp plain;
  auto const task = plain.create("Look").id;
  CHECK(has(plain.error<&service::revert_task>({.id = task}).message, "its board lands nothing"));
  CHECK(plain.refusal<&service::revert_task>({.id = 99}) == "TASK_NOT_FOUND");
}

TEST_CASE("Revert.RefusesATaskThatIsOpenOrInWork") {
  RevertYard yard;
  auto const cart = yard.add("Cart");
  yard.landed(1);
  yard.move(cart, "todo");
  CHECK(has(yard.why_refused(cart), "is open again"));
  yard.start("dev");
  CHECK(has(yard.why_refused(cart), "is in work"));
}

TEST_CASE("Revert.ATaskTakenUpMeanwhileKeepsItsWork") {
  RevertYard yard;
  auto const cart = yard.add("Cart");
  auto const run = yard.landed(1);
  yard.revert(cart);
  yard.move(cart, "todo");
  CHECK(yard.revert_of(run.id)->state == RevertState::refused);
  CHECK(yard.queue().empty());
  CHECK(yard.refusal<&service::plan_landing>({.id = run.id, .commit = "r1", .onto = "d1"}) == "CONFLICT");
}

TEST_CASE("Revert.APlannedOneIsSettledByTheQueueAlone") {
  RevertYard yard;
  auto const cart = yard.add("Cart");
  auto const run = yard.landed(1);
  yard.revert(cart);
  yard.call<&service::plan_landing>({.id = run.id, .commit = "r1", .onto = "d1"});
  yard.move(cart, "todo");
  CHECK(yard.queue().size() == 1);
  yard.call<&service::land_run>({.id = run.id, .commit = "r1", .branch = "main"});
  CHECK(yard.revert_of(run.id)->state == RevertState::reverted);
  CHECK(yard.get(cart).stage == Stage::ready);
}

TEST_CASE("Revert.ARefusedOneLeavesTheTaskAndMayBeAskedForAgain") {
  RevertYard yard;
  auto const cart = yard.add("Cart");
  auto const run = yard.landed(1);
  yard.revert(cart);
  yard.call<&service::hold_landing>({.id = run.id, .reason = "local changes"});
  CHECK(yard.revert_of(run.id)->reason == "local changes");
  CHECK(yard.queue().size() == 1);
  auto const rev = yard.get(cart).rev;
  yard.call<&service::return_landing>({.id = run.id, .reason = "#2 changed a.c"});
  CHECK(yard.revert_of(run.id)->state == RevertState::refused);
  CHECK(yard.revert_of(run.id)->reason == "#2 changed a.c");
  CHECK(yard.queue().empty());
  CHECK(yard.get(cart).stage == Stage::done);
  CHECK(yard.get(cart).rev > rev);
  CHECK(yard.events().back().data == R"({"revert":"refused","reason":"#2 changed a.c","by":"user:ann"})");
  yard.revert(cart);
  CHECK(yard.queue().size() == 1);
}

TEST_CASE("Revert.TakesBackEachLandingOfTheTaskAtOnce") {
  RevertYard yard;
  auto const cart = yard.add("Cart");
  auto const first = yard.landed(1);
  yard.move(cart, "todo");
  auto const second = yard.landed(2);
  yard.revert(cart);
  auto const queue = yard.queue();
  REQUIRE(queue.size() == 1);
  REQUIRE(queue[0].take_back.size() == 2);
  CHECK(queue[0].take_back[0].commit == "d2");
  CHECK(queue[0].take_back[1].commit == "d1");
  yard.take_back(second.id);
  CHECK(yard.revert_of(first.id)->state == RevertState::reverted);
  CHECK(yard.revert_of(second.id)->commit == "r1");
  CHECK(yard.stored(cart).stage == Stage::ready);
  // The next attempt lands alone, and alone it is taken back.
  auto const third = yard.landed(3);
  CHECK(third.task == cart);
  yard.revert(cart);
  CHECK(yard.queue().front().take_back.size() == 1);
  CHECK(yard.queue().front().was_reverted);
}

TEST_CASE("Revert.WorkThatWasTakenBackIsNotLandedAgainByItself") {
  RevertYard yard;
  auto const cart = yard.add("Cart");
  auto const run = yard.landed(1);
  yard.revert(cart);
  yard.take_back(run.id);
  yard.move(cart, "done");
  CHECK(yard.queue().empty());
  CHECK(yard.call<&service::get_run>({.id = run.id}).landing->state == core::LandingState::landed);
}

TEST_CASE("Revert.NoAgentMayAskForIt") {
  RevertYard yard;
  auto const cart = yard.add("Cart");
  yard.landed(1);
  yard.add("Other");
  auto const other = yard.start("dev");
  CHECK(yard.refusal<&service::revert_task>({.id = cart}, agent(other)) == "FORBIDDEN");
  service::Caller worker{{core::ActorKind::worker, "dev"}, service::Role::admin, core::Source::api, {}};
  CHECK(yard.refusal<&service::revert_task>({.id = cart}, worker) == "FORBIDDEN");
  CHECK(yard.ask<&service::revert_task>({.id = cart}, test::person("bob")));
}

TEST_CASE("Revert.IsOfferedWhereWorkHasLanded") {
  RevertYard yard;
  yard.tells_verbs = true;
  auto const cart = yard.add("Cart");
  auto const offered = [&] { return std::ranges::count(yard.get(cart).can, "revert"); };
  CHECK(offered() == 0);
  CHECK_FALSE(yard.get(cart).cannot.contains("revert"));
  yard.landed(1);
  CHECK(offered() == 1);
  yard.revert(cart);
  CHECK(offered() == 0);
  CHECK(has(yard.get(cart).cannot.at("revert"), "waits to be taken back already"));
}

TEST_CASE("Revert.LandedWorkIsToldForNames") {
  RevertYard yard;
  auto const cart = yard.add("Cart");
  auto const run = yard.landed(1);
  yard.revert(cart);
  yard.take_back(run.id);
  auto const works = yard.call<&service::landed_work>({.board = yard.board});
  REQUIRE(works.items.size() == 1);
  CHECK(works.items.front().title == "Cart");
  CHECK(works.items.front().landing.commit == "d1");
  CHECK(works.items.front().revert->commit == "r1");
}
