#include <doctest/doctest.h>

#include "service/test_app.hpp"

using namespace andon;
using namespace std::chrono_literals;
using core::Stage;
using test::agent;
using test::on;
using test::person;
using test::TestApp;

namespace {

/// An administrator who acts in the name of a worker.
service::Caller worker(std::string name) {
  auto caller = person(name);
  caller.actor = {core::ActorKind::worker, std::move(name)};
  return caller;
}

}  // namespace

TEST_CASE("Approval.TrustedWorkersPlaceOnlyTheirOwnNewTasks") {
  TestApp app("queue");
  app.add_worker("plan", R"("role":"planner","takes_unassigned":true)");
  app.add_worker("dev", R"("role":"coder")");
  app.create("Plan", R"("status":"ready")");
  app.create("Code", R"("status":"ready","role":"coder")");
  auto const idea = app.create("Idea");
  auto const planner = app.start("plan"), coder = app.start("dev");
  auto const placed = app.create("New", R"("status":"ready")", agent(planner));
  CHECK(placed.stage == Stage::ready);
  CHECK(placed.approved);
  CHECK(app.create("New", R"("status":"ready","depends_on":[3])", agent(planner)).stage == Stage::backlog);
  CHECK(app.refusal("create_task", R"({"title":"x","status":"in_progress"})", agent(planner)) ==
        "APPROVAL_REQUIRED");
  auto const refused = app.error("create_task", R"({"title":"x","status":"ready"})", agent(coder));
  CHECK(refused.code == core::Code::kApprovalRequired);
  CHECK(refused.field == "status");
  CHECK(app.create("New", {}, agent(coder)).stage == Stage::backlog);
  for (auto const& run : {planner, coder}) {
    CHECK(app.refusal("approve_task", on(idea.id), agent(run)) == "FORBIDDEN");
    CHECK(app.refusal("move_task", on(idea.id, R"("status":"ready")"), agent(run)) == "APPROVAL_REQUIRED");
    CHECK(app.refusal("move_task", on(idea.id, R"("status":"pending")"), agent(run)) == "FORBIDDEN");
  }
}

TEST_CASE("Approval.IsForTheTextAPersonSawAndAWorkersEditVoidsIt") {
  TestApp app("queue");
  app.add_worker("plan", R"("role":"planner")");
  auto const task = app.create("Task", R"("status":"ready")");
  CHECK(app.task("update_task", on(task.id, R"("tags":["x"])"), worker("dev")).stage == Stage::ready);
  auto const edited = app.task("update_task", on(task.id, R"("body":"Other")"), worker("dev"));
  CHECK(edited.stage == Stage::backlog);
  CHECK_FALSE(edited.approved);
  for (auto const* name : {"dev", "plan"}) {
    CHECK(app.refusal("approve_task", on(task.id), worker(name)) == "APPROVAL_REQUIRED");
    CHECK(app.refusal("move_task", on(task.id, R"("status":"ready")"), worker(name)) == "APPROVAL_REQUIRED");
  }
  CHECK(app.refusal("create_task", R"({"title":"x","status":"ready"})", worker("dev")) ==
        "APPROVAL_REQUIRED");
  CHECK(app.create("New", R"("status":"ready")", worker("plan")).stage == Stage::ready);
  CHECK(app.task("update_task", on(task.id, R"("status":"ready")")).approved);
}

TEST_CASE("Approval.IsNotGotAroundByAnotherAct") {
  struct Way {
    std::string_view board, first, with, then, and_with;
  };
  for (auto const& way :
       {Way{"classic", "", "", "fail_task", R"("reason":"no")"}, Way{"classic", "", "", "complete_task", ""},
        Way{"flow", "", "", "handoff_task", R"("note":"look")"}, Way{"flow", "", "", "submit_task", ""},
        Way{"classic", "block_task", R"("reason":"no key")", "move_task", R"("status":"todo")"},
        Way{"classic", "block_task", R"("reason":"no key")", "update_task", R"("status":"todo")"},
        Way{"flow", "block_task", R"("reason":"no key")", "retry_task", ""},
        Way{"classic", "archive_task", "", "move_task", R"("status":"todo")"}}) {
    CAPTURE(way.first);
    CAPTURE(way.then);
    TestApp app{way.board};
    auto const id = app.create("Idea").id;
    auto const dev = worker("dev");
    if (!way.first.empty()) app.task(way.first, on(id, way.with), dev);
    CHECK(app.refusal(way.then, on(id, way.and_with), dev) == "APPROVAL_REQUIRED");
    app.task(way.then, on(id, way.and_with));
  }
  TestApp app;
  auto const made = app.create("Idea", R"("status":"blocked")", worker("dev"));
  CHECK(app.refusal("unblock_task", on(made.id), worker("dev")) == "APPROVAL_REQUIRED");
  CHECK(app.refusal("update_task", on(made.id, R"("unblock":true)"), worker("dev")) == "APPROVAL_REQUIRED");
}

TEST_CASE("Approval.GivenBeforeATaskWasBlockedHoldsAfterwards") {
  TestApp app;
  auto const task = app.create("Task", R"("status":"todo")");
  app.task("block_task", on(task.id, R"("reason":"no key")"), worker("dev"));
  CHECK(app.task("move_task", on(task.id, R"("status":"todo")"), worker("dev")).stage == Stage::ready);
}

TEST_CASE("Approval.OfATaskIsNotForWhatItsAgentLetsFollow") {
  TestApp app;
  app.add_worker("dev", R"("takes_unassigned":true)");
  app.create("Task", R"("status":"todo","next_tasks":[{"title":"Review"}])");
  auto const run = app.start("dev");
  auto const refused = app.error("update_task", on(1, R"("next_tasks":[{"title":"Deploy"}])"), agent(run));
  CHECK(refused.code == core::Code::kForbidden);
  CHECK(refused.field == "next_tasks");
  CHECK(refused.message == "a run may not change what follows its own task");
}

TEST_CASE("Approval.ABriefThatComesLaterLetsTheTaskOut") {
  TestApp app("queue");
  app.answer("edit_board", R"({"board":"queue","require_brief":true})");
  auto const task = app.create("Task");
  CHECK(app.task("approve_task", on(task.id)).stage == Stage::backlog);
  CHECK(app.task("update_task", on(task.id, R"("body":"How")")).stage == Stage::ready);
}

TEST_CASE("Claim.ByForceStopsTheAgentFirst") {
  TestApp app;
  app.add_worker("dev", R"("takes_unassigned":true)");
  app.create("Task", R"("status":"todo")");
  auto const run = app.start("dev");
  CHECK(app.refusal("claim_task", on(1, R"("by":"bob")")) == "TASK_CLAIMED");
  auto const answered = app.task("claim_task", on(1, R"("by":"bob","force":true)"));
  CHECK(answered.claimed_by == "dev");
  CHECK(app.run("get_run", on(run.id)).state == core::RunState::stopping);
  CHECK(app.refusal("complete_task", on(1), agent(run)) == "STALE_CLAIM");
  CHECK(app.finish(run).outcome == core::Outcome::killed);
  auto const task = app.get(1);
  CHECK(task.claimed_by == "bob");
  CHECK(task.epoch > run.epoch);
  CHECK(task.stage == Stage::ready);
  CHECK_FALSE(app.stored(1).state.supervised);
}

TEST_CASE("Claim.APersonsWordOnSupervisedWorkCountsWhenItsAgentIsGone") {
  struct Row {
    std::string_view operation, members;
    Stage stage;
  };
  for (auto const& row : {Row{"complete_task", R"("force":true,"result":"by hand")", Stage::review},
                          Row{"submit_task", R"("force":true)", Stage::review},
                          Row{"fail_task", R"("force":true,"reason":"no")", Stage::ready},
                          Row{"handoff_task", R"("force":true,"note":"see")", Stage::review}}) {
    TestApp app("queue");
    app.add_worker("dev", R"("takes_unassigned":true)");
    app.create("Task", R"("status":"ready")");
    auto const run = app.start("dev");
    CAPTURE(row.operation);
    app.task(row.operation, on(1, row.members));
    CHECK(app.get(1).stage == Stage::active);
    CHECK(app.run("get_run", on(run.id)).state == core::RunState::stopping);
    app.finish(run);
    CHECK(app.get(1).stage == row.stage);
    CHECK(app.get(1).claimed_by.empty());
  }
}

TEST_CASE("Claim.WhoseTimeIsOverIsSeenNowhere") {
  TestApp app;
  auto const held = app.create("Task", R"("status":"todo","claim":"bob")");
  CHECK(app.answer("list_tasks", R"({"claimed_by":"bob"})").find("\"id\":1") != std::string::npos);
  app.clock.advance(1h);
  CHECK(app.get(1).claimed_by.empty());
  CHECK_FALSE(app.get(1).claim_expires);
  CHECK(app.answer("list_tasks", R"({"claimed_by":"bob"})").find("\"id\":1") == std::string::npos);
  CHECK(app.answer("list_tasks", R"({"unclaimed":true})").find("\"id\":1") != std::string::npos);
  CHECK(app.snapshot().tasks.front().claimed_by.empty());
  auto const edited = app.task("update_task", on(1, R"("title":"Other")"));
  CHECK(edited.claimed_by.empty());
  CHECK(edited.epoch == held.epoch);
}

TEST_CASE("Claim.NamesAreOneShortLine") {
  TestApp app("flow");
  app.create("Task", R"("status":"todo")");
  for (auto const* name : {R"( )", R"(a\nb)", R"(\u001b[2J)", R"(\u202e)"}) {
    CHECK(app.refusal("claim_task", on(1, "\"by\":\"" + std::string{name} + "\"")) == "INVALID_INPUT");
    CHECK(app.refusal("move_task", on(1, "\"status\":\"in-progress\",\"claim\":\"" + std::string{name} +
                                             "\"")) == "INVALID_INPUT");
  }
}

TEST_CASE("Move.ChecksStandInTheirOrder") {
  TestApp app;
  app.answer(
      "edit_board",
      R"({"board":"classic","workflow":"strict","columns":[{"name":"backlog","stage":"backlog"},{"name":"todo"},
      {"name":"in_progress","stage":"active","wip_limit":1,"require_claim":true},{"name":"done","stage":"done"}],
      "move_tasks":{}})");
  app.answer("edit_board", R"({"board":"classic","workflow":"open"})");
  app.add_worker("dev");
  app.create("Fills", R"("status":"in_progress")");
  app.task("claim_task", on(app.create("Held", R"("status":"todo","assignee":"dev")").id, R"("by":"dev")"));
  auto const task = app.create("Task", R"("status":"todo","depends_on":[1])");
  auto const move = [&](std::string const& members) {
    return app.refusal("move_task", on(task.id, members));
  };
  CHECK(app.refusal("move_task", on(99, R"("status":"nowhere")")) == "INVALID_STATUS");
  CHECK(app.refusal("move_task", on(99, R"("status":"todo")")) == "TASK_NOT_FOUND");
  CHECK(move(R"("status":"in_progress")") == "CLAIM_REQUIRED");
  CHECK(move(R"("status":"in_progress","claim":"dev")") == "DEPENDENCY_OPEN");
  app.move(1, "done");
  app.create("Fills", R"("status":"in_progress")");
  CHECK(move(R"("status":"in_progress","claim":"dev")") == "WIP_LIMIT_EXCEEDED");
  app.answer("edit_board", R"({"board":"classic","wip_limits":{"in_progress":9}})");
  CHECK(move(R"("status":"in_progress","claim":"dev")") == "WORKER_BUSY");
  CHECK(app.task("move_task", on(task.id, R"("status":"in_progress","claim":"bob")")).claimed_by == "bob");
}

TEST_CASE("Text.OfNotesAndReasonsHoldsNoControlCharacters") {
  TestApp app("queue");
  app.create("Task", R"("status":"ready")");
  app.task("claim_task", on(1, R"("by":"ann")"));
  for (auto const* bad : {R"(a\u0000b)", R"(\u001b[31mred)", R"(bell\u0007)", R"(\u0085)"}) {
    auto const text = "\"" + std::string{bad} + "\"";
    for (auto const& [operation, field] : {std::pair{"add_note", "text"},
                                           {"block_task", "reason"},
                                           {"fail_task", "reason"},
                                           {"reject_task", "reason"}}) {
      auto const error = app.error(operation, on(1, "\"" + std::string{field} + "\":" + text));
      CHECK(error.code == core::Code::kInvalidInput);
      CHECK(error.field == field);
    }
  }
  app.task("add_note", on(1, R"("text":"two\n\tlines 👩‍💻")"));
}

TEST_CASE("Revision.ThatIsNotTheExpectedOneRefusesEveryChange") {
  for (auto const& [operation, request] : {std::pair{"update_task", R"({"id":1,"title":"x"})"},
                                           {"add_note", R"({"id":1,"text":"x"})"},
                                           {"edit_worker", R"({"name":"dev","title":"x"})"},
                                           {"edit_board", R"({"board":"classic","title":"x"})"}}) {
    TestApp app;
    app.add_worker("dev");
    app.create("Task");
    auto const ask = [&](std::int64_t rev) {
      api::Call call;
      call.operation = api::find_operation(operation);
      call.request = api::decode(*call.operation, reflect::parse_json(request).value()).value();
      call.caller = test::ann();
      call.expected_rev = rev;
      return app.executor.run(std::move(call));
    };
    CAPTURE(operation);
    auto const before = app.digest();
    auto const refused = ask(77);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == core::Code::kRevMismatch);
    CHECK(app.digest() == before);
    CHECK(ask(1).has_value());
  }
}

TEST_CASE("Approval.WorkInReviewIsAcceptedNotApproved") {
  TestApp app("queue");
  app.add_worker("dev", R"("role":"coder")");
  app.create("Cart", R"("status":"ready","role":"coder")");
  app.finish(app.start("dev"));
  REQUIRE(app.get(1).stage == Stage::review);
  auto const error = app.error("approve_task", on(1));
  CHECK(error.code == core::Code::kIllegalTransition);
  CHECK(error.message.contains("accept or reject it"));
}
