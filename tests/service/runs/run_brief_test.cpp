#include "service/runs/run_brief.hpp"

#include <doctest/doctest.h>

#include "service/tasks/task_actions.hpp"
#include "service/test_app.hpp"
#include "service/workers/workers.hpp"

using namespace andon;
using test::agent;
using test::TestApp;

namespace {

core::Result<service::RunBrief> brief(TestApp& app, std::string worker = {},
                                      service::Caller const& caller = test::ann(), std::string id = "1") {
  core::Result<service::RunBrief> out = core::refuse(core::Code::kInternalError, "not asked");
  app.executor.read(
      [&](service::OperationContext& u) {
        out = service::prompt_of(u, {service::TaskRef{id}, std::move(worker)});
      },
      caller);
  return out;
}

std::string text_of(std::vector<std::string> const& feedback) {
  std::string out;
  for (auto const& one : feedback) out += one + "\n";
  return out;
}

}  // namespace

TEST_CASE("Brief.IsForWhoeverWouldGetTheTask") {
  TestApp app;
  app.add_worker("any", {.takes_unassigned = true});
  app.add_worker("dev", {.role = "coder"});
  app.create("Open", {.status = "todo"});
  app.create("For coders", {.status = "todo", .role = "coder"});
  app.create("For a person", {.status = "todo", .assignee = "ann"});
  CHECK(brief(app)->worker.name == "any");
  CHECK(brief(app, "dev")->worker.name == "dev");
  CHECK(brief(app, "", test::ann(), "2")->worker.name == "dev");
  CHECK(brief(app, "", test::ann(), "3").error().field == "worker");
  CHECK(brief(app, "nobody").error().field == "worker");
  CHECK(brief(app)->task.attempt == 1);
}

TEST_CASE("Brief.ARunSeesOnlyThoseOfItsOwnWorker") {
  TestApp app;
  app.add_worker("dev", {.takes_unassigned = true});
  app.add_worker("qa");
  app.create("Task", {.status = "todo"});
  auto const run = app.start("dev");
  CHECK(brief(app, "", agent(run))->worker.name == "dev");
  CHECK(brief(app, "", agent(run))->task.attempt == 1);
  CHECK(brief(app, "qa", agent(run)).error().code == core::Code::kForbidden);
}

TEST_CASE("Brief.TellsHowEarlierAttemptsEndedWhatReviewersSaidAndNotes") {
  TestApp app;
  app.add_worker("dev", {.takes_unassigned = true});
  app.create("Task", {.status = "todo"});
  auto run = app.start("dev");
  app.call<&service::note_task>({.id = 1, .text = "mind the cache"});
  app.clock.advance(std::chrono::seconds{1});
  app.finish(run,
             {.has_result = true, .result_is_error = true, .result = "cannot build", .exit = {.code = 1}});
  app.clock.advance(std::chrono::hours{2});
  run = app.start("dev");
  auto const text = text_of(brief(app)->feedback);
  CHECK(text.find("mind the cache") < text.find("Attempt 1 by dev failed: cannot build"));
  CHECK(text.find("cannot build") == text.rfind("cannot build"));
  CHECK(text.find("{") == std::string::npos);
}

TEST_CASE("Brief.TellsOfWorkBesideIt") {
  TestApp app;
  app.add_worker("dev", {.takes_unassigned = true});
  app.create("Other", {.status = "todo", .touches = {"src/**"}});
  app.start("dev");
  app.create("Task", {.status = "todo", .assignee = "dev"});
  auto const beside = brief(app, "", test::ann(), "2")->beside;
  REQUIRE(beside.size() == 1);
  CHECK(beside[0].title == "Other");
  CHECK(brief(app)->beside.empty());
}

TEST_CASE("Brief.NamesTheConversationThatGoesOn") {
  TestApp app;
  app.add_worker("dev", {.conversation = core::Conversation::task, .takes_unassigned = true});
  app.create("Task", {.status = "todo"});
  CHECK_FALSE(brief(app)->earlier);
  auto const run = app.start("dev");
  app.finish(run, {.exit = {.code = 1}, .session = "s-1", .usage = core::Usage{.input = 280, .output = 42}});
  auto const earlier = brief(app)->earlier;
  REQUIRE(earlier);
  CHECK(earlier->run == run.id);
  CHECK(earlier->session == "s-1");
  CHECK(earlier->used.input == 280);
  app.call<&service::edit_worker>({.name = "dev", .conversation = core::Conversation::fresh});
  CHECK_FALSE(brief(app)->earlier);
}

TEST_CASE("Brief.HoldsTheAnswerToWhatTheAgentAsked") {
  TestApp app;
  app.add_worker("dev", {.takes_unassigned = true});
  app.create("Task", {.status = "todo"});
  auto const run = app.start("dev");
  app.call<&service::block_task>({.id = 1, .reason = "Which colour?", .choices = {"red", "blue"}},
                                 agent(run));
  app.finish(run);
  auto const asked = app.stored(1).question;
  REQUIRE(asked);
  CHECK(asked->asked_by == "worker:dev");
  CHECK(asked->choices == std::vector<std::string>{"red", "blue"});
  app.call<&service::answer_task>({.id = 1, .text = "blue"});
  CHECK(app.get(1).stage == core::Stage::ready);
  CHECK(text_of(brief(app)->feedback).contains("Question: Which colour?\nAnswer by user:ann: blue"));
}
