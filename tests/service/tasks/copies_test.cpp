#include "service/tasks/copies.hpp"

#include <doctest/doctest.h>

#include "service/tasks/copy.hpp"
#include "service/tasks/edit.hpp"
#include "service/tasks/task_actions.hpp"
#include "service/tasks/tasks.hpp"
#include "service/test_app.hpp"

using namespace andon;
using test::agent;
using test::TestApp;

namespace {

constexpr std::string_view kCrash = "Fix the login crash on Safari";

/// A run whose agent creates tasks.
core::Run creator(TestApp& app) {
  app.add_worker("dev", {.takes_unassigned = true});
  app.create("Look after the shop", {.status = "todo", .assignee = "dev"});
  return app.start("dev");
}

service::CreateTaskRequest titled(std::string title, std::string body = {}) {
  service::CreateTaskRequest out;
  out.title = std::move(title);
  out.body = std::move(body);
  return out;
}

}  // namespace

TEST_CASE("Copies.AnEqualTaskOfAnAgentIsTheOneThatStands") {
  TestApp app;
  auto const run = creator(app);
  auto const standing = app.create(kCrash, {.body = "Now."});
  auto const before = app.last_seq();
  auto const answer = app.create("fix the login  crash on SAFARI", {.body = "now.\n"}, agent(run));
  CHECK(answer.id == standing.id);
  CHECK(answer.notice == "task #2 asks for this already; no second task was created");
  CHECK(answer.body == "Now.");
  CHECK(app.last_seq() == before);
}

TEST_CASE("Copies.ANearCopyOfAnAgentIsRefusedWithTheTaskThatStands") {
  TestApp app;
  auto const run = creator(app);
  auto const standing = app.create(kCrash);
  auto const error = app.error<&service::create_task>(titled("Fix login crashes on Safari"), agent(run));
  CHECK(error.code == core::Code::kLikelyCopy);
  CHECK(error.message ==
        "this looks like a copy of #2 \"Fix the login crash on Safari\"; work with that task, or, if it is "
        "another piece of work, create it again with --not-a-copy 2");
  CHECK(error.field == "not_a_copy");
  REQUIRE(error.current);
  CHECK(error.current->id == standing.id);
}

TEST_CASE("Copies.AnAgentMaySayThatATaskIsAnotherPieceOfWork") {
  TestApp app;
  auto const run = creator(app);
  app.create(kCrash);
  auto request = titled("Fix login crashes on Safari");
  request.not_a_copy = {"#2"};
  CHECK(app.call<&service::create_task>(request, agent(run)).id == 3);
  CHECK(app.call<&service::list_copies>({app.board}).items.empty());
  request.not_a_copy = {"seven"};
  CHECK(app.refusal<&service::create_task>(request, agent(run)) == "INVALID_TASK_ID");
  request.not_a_copy = std::vector<service::TaskRef>(21, "2");
  CHECK(app.refusal<&service::create_task>(request, agent(run)) == "INVALID_INPUT");
}

TEST_CASE("Copies.OnlyOpenAndLatelyFinishedTasksCount") {
  TestApp app;
  auto const run = creator(app);
  auto const again = titled("Fix login crashes on Safari");
  auto const standing = app.create(kCrash);
  app.move(standing.id, "done");
  CHECK(app.refusal<&service::create_task>(again, agent(run)) == "LIKELY_COPY");
  app.clock.advance(std::chrono::days{8});
  CHECK(app.create("Fix login crashes on Safari", {}, test::ann()).warnings.empty());
}

TEST_CASE("Copies.AnArchivedTaskDoesNotCount") {
  TestApp app;
  auto const run = creator(app);
  app.create(kCrash);
  app.call<&service::archive_task>({2});
  CHECK(app.create(kCrash, {}, agent(run)).id == 3);
}

TEST_CASE("Copies.AnEarlierTaskOfOneRequestCounts") {
  TestApp app;
  auto const run = creator(app);
  auto const error = app.error<&service::create_tasks>(
      {{titled(std::string{kCrash}), titled("Fix login crashes on Safari")}}, agent(run));
  CHECK(error.code == core::Code::kLikelyCopy);
  CHECK(error.field == "items/1/not_a_copy");
}

TEST_CASE("Copies.AFloodOfNearCopiesAddsNoTask") {
  TestApp app;
  auto const run = creator(app);
  std::string const brief =
      "The login page of the shop crashes on Safari when the password field is empty. Reproduce it, find the "
      "reason in the form handler, fix it and add a regression test.";
  app.create(kCrash, {.body = brief});
  auto const before = app.last_seq();
  int refused = 0;
  for (int i = 0; i < 1'000; ++i) {
    auto const more = " Attempt" + std::string(static_cast<std::size_t>(i % 7), 'x') + " of the agent " +
                      std::string(static_cast<std::size_t>(1 + i / 40), 'y') +
                      ". This is no copy; create it.";
    auto const made = app.ask<&service::create_task>(titled(std::string{kCrash}, brief + more), agent(run));
    refused += !made && made.error().code == core::Code::kLikelyCopy ? 1 : 0;
  }
  CHECK(refused == 1'000);
  CHECK(app.last_seq() == before);
}

TEST_CASE("Copies.PeopleAreWarnedAndSeeThePair") {
  TestApp app;
  app.create(kCrash);
  auto const copy = app.create("Fix login crashes on Safari");
  REQUIRE(copy.warnings.size() == 1);
  CHECK(copy.warnings[0] == "task #2 looks like a copy of #1 \"Fix the login crash on Safari\"");
  auto const pairs = app.call<&service::list_copies>({app.board}).items;
  REQUIRE(pairs.size() == 1);
  CHECK(pairs[0].task == 2);
  CHECK(pairs[0].other == 1);
  CHECK(pairs[0].percent == 100);
  CHECK(pairs[0].other_title == kCrash);
}

TEST_CASE("Copies.APairIsListedUntilOneTaskIsFinishedOrSomebodyDismissesIt") {
  TestApp app;
  app.create(kCrash);
  app.create("Fix login crashes on Safari");
  app.move(2, "done");
  CHECK(app.call<&service::list_copies>({app.board}).items.empty());
  app.move(2, "todo");
  CHECK(app.call<&service::list_copies>({app.board}).items.size() == 1);
  CHECK(app.call<&service::dismiss_copy>({1, 2}).items.empty());
  CHECK(app.refusal<&service::dismiss_copy>({1, 2}) == "NOT_FOUND");
}

TEST_CASE("Copies.AnEditBringsThemToLight") {
  TestApp app;
  app.create(kCrash);
  app.create("Write the manual");
  service::EditTaskRequest request;
  request.id = 2;
  request.title = "Fix login crashes on Safari";
  CHECK(app.call<&service::edit_task>(request).warnings.size() == 1);
  CHECK(app.call<&service::list_copies>({app.board}).items.size() == 1);
}

TEST_CASE("Copies.ATaskThatWasCopiedOnPurposeIsNoSuspect") {
  TestApp app;
  app.create(kCrash);
  CHECK(app.call<&service::copy_task>({1}).warnings.empty());
  CHECK(app.call<&service::list_copies>({app.board}).items.empty());
}

TEST_CASE("Copies.TheBoardKeepsTheNewestPairsOnly") {
  TestApp app;
  for (int i = 0; i < 210; ++i) app.create(kCrash);
  auto const pairs = app.call<&service::list_copies>({app.board}).items;
  REQUIRE(pairs.size() == 200);
  CHECK(pairs.front().task == 210);
}
