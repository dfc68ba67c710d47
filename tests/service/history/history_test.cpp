#include <algorithm>
#include <map>
#include <random>

#include <doctest/doctest.h>

#include "reflect/json.hpp"
#include "service/access/access.hpp"
#include "service/boards/boards.hpp"
#include "service/tasks/create.hpp"
#include "service/tasks/edit.hpp"
#include "service/tasks/pick.hpp"
#include "service/tasks/stop.hpp"
#include "service/tasks/task_actions.hpp"
#include "service/test_app.hpp"

using namespace andon;
using namespace std::chrono_literals;
using test::ann;
using test::on;
using test::person;
using test::TestApp;

namespace {

/// A call with an idempotency key or `If-Match`, which requests do not carry.
core::Result<std::string> send(TestApp& app, std::string_view operation, std::string_view request,
                               std::string key, std::optional<std::int64_t> rev = {},
                               service::Caller caller = ann()) {
  api::Call call;
  call.operation = api::find_operation(operation);
  call.request = api::decode(*call.operation, reflect::parse_json(request).value()).value();
  call.caller = std::move(caller);
  call.idempotency_key = std::move(key);
  call.expected_rev = rev;
  return app.executor.run(std::move(call));
}

std::string code(core::Result<std::string> const& answer) {
  return answer ? "" : std::string{core::row(answer.error().code).name};
}

using Cards = std::map<core::TaskId, std::string>;

Cards cards_of(service::Snapshot const& snapshot) {
  Cards out;
  for (auto const& card : snapshot.tasks) out[card.id] = reflect::to_json(card);
  return out;
}

/// What a page does with the feed.
void apply(Cards& cards, service::Changes const& changes) {
  for (auto const& board : changes.boards)
    for (auto const& touched : board.tasks)
      if (touched.gone)
        cards.erase(touched.id);
      else
        cards[touched.id] = reflect::to_json(touched.card);
}

/// One random act of anybody on anything; most are refused.
struct Act {
  std::string operation, request;
};
Act random_act(std::mt19937& random, std::int64_t tasks) {
  auto const pick = [&](auto const& list) { return std::string{list[random() % std::size(list)]}; };
  static constexpr std::string_view kColumns[] = {"backlog", "todo", "in_progress", "blocked", "done"};
  static constexpr std::string_view kPeople[] = {"ann", "bob", "dev"};
  static constexpr std::string_view kVerbs[] = {
      "release_task", "start_task", "submit_task", "complete_task", "handoff_task", "unblock_task",
      "accept_task",  "retry_task", "kill_task",   "archive_task",  "approve_task", "delete_task"};
  auto const id = static_cast<std::int64_t>(random() % static_cast<unsigned>(tasks) + 1);
  auto const other = std::to_string(random() % static_cast<unsigned>(tasks) + 1);
  switch (random() % 12) {
    case 0: return {"create_task", R"({"title":"New","status":")" + pick(kColumns) + "\"}"};
    case 1:
      return {"create_task", R"({"title":"Sub","parent":)" + other + R"(,"depends_on":[)" + other + "]}"};
    case 2: return {"update_task", on(id, R"("title":"Title )" + other + R"(","force":true)")};
    case 3: return {"update_task", on(id, R"("add_deps":[)" + other + R"(],"force":true)")};
    case 4: return {"update_task", on(id, R"("parent":)" + other + R"(,"force":true)")};
    case 5:
    case 6: return {"move_task", on(id, R"("force":true,"status":")" + pick(kColumns) + "\"")};
    case 7: return {"pick_task", R"({"by":")" + pick(kPeople) + "\"}"};
    case 8: return {"claim_task", on(id, R"("by":")" + pick(kPeople) + "\"")};
    case 9: return {"block_task", on(id, R"("reason":"because","force":true)")};
    case 10: return {"add_note", on(id, R"("text":"a note")")};
    default: return {pick(kVerbs), on(id)};
  }
}

}  // namespace

TEST_CASE("History.IsGapFreeAndTellsEveryChange") {
  TestApp app;
  app.create("Task");
  app.move(1, "todo");
  app.call<&service::pick_task>({.by = "bob"});
  app.call<&service::edit_task>({.id = 1, .title = "Other", .claim = "bob"});
  app.call<&service::complete_task>({.id = 1, .claim = "bob"});
  CHECK(app.kinds(0) == std::vector<std::string>{"board.changed", "task.created", "task.moved",
                                                 "task.claimed", "task.edited", "task.completed"});
  auto const events = app.events();
  for (std::size_t i = 0; i < events.size(); ++i) {
    CHECK(events[i].seq == static_cast<std::int64_t>(i) + 1);
    CHECK(core::to_text(events[i].actor) == "user:ann");
    CHECK(events[i].ts == app.clock.now());
  }
  CHECK(events[2].from == "backlog");
  CHECK(events[2].to == "todo");
}

TEST_CASE("History.RefusedOperationsLeaveNoTrace") {
  TestApp app;
  auto const before = app.digest();
  for (auto const& [operation, request] :
       {std::pair{"create_task", R"({"title":""})"},
        {"move_task", R"({"id":7,"status":"todo"})"},
        {"create_board", R"({"name":"classic"})"},
        {"create_board", R"({"name":"12"})"},
        {"edit_board", R"({"board":"classic","columns":[{"name":"one"}]})"},
        {"edit_board", R"({"board":"classic","columns":[{"name":"To Do"},{"name":"to-do"}]})"},
        {"edit_board", R"({"board":"classic","default_status":"nowhere"})"},
        {"add_worker", R"({"name":"a b"})"},
        {"add_worker", R"({"name":"x","capacity":0})"},
        {"edit_worker", R"({"name":"nobody"})"},
        {"pick_task", R"({"by":"bob"})"},
        {"create_tasks", R"({"items":[{"title":"A"},{"title":"B","priority":"P9"}]})"}})
    app.refusal(operation, request);
  CHECK(app.digest() == before);
}

TEST_CASE("History.EchoesTheMutationOfItsAuthor") {
  TestApp app;
  REQUIRE(send(app, "create_task", R"({"title":"Task"})", "m1"));
  CHECK(app.events().back().mutation == "m1");
  CHECK(app.changes(1).boards.front().tasks.front().why.m == "m1");
}

TEST_CASE("Retry.OneKeyHasOneEffectAndOneAnswer") {
  TestApp app;
  auto const first = send(app, "create_task", R"({"title":"Task"})", "k1");
  auto const again = send(app, "create_task", R"({"title":"Task"})", "k1");
  CHECK(*first == *again);
  CHECK(app.snapshot().tasks.size() == 1);
  CHECK(code(send(app, "create_task", R"({"title":"Other"})", "k1")) == "INVALID_INPUT");
  CHECK(code(send(app, "add_note", on(1, R"("text":"x")"), "k1")) == "INVALID_INPUT");
  CHECK(send(app, "create_task", R"({"title":"Other"})", "k1", {}, person("bob")));
  CHECK(code(send(app, "move_task", on(1, R"("status":"nowhere")"), "k2")) == "INVALID_STATUS");
  CHECK(send(app, "move_task", on(1, R"("status":"todo")"), "k2"));
}

TEST_CASE("Retry.AnOldRevIsRefusedWithTheTaskAsItIsNow") {
  TestApp app;
  app.create("Task");
  app.move(1, "todo");
  auto const refused = send(app, "update_task", on(1, R"("title":"x")"), "", 1);
  CHECK(code(refused) == "REV_MISMATCH");
  CHECK(refused.error().current->rev == 2);
  CHECK(send(app, "update_task", on(1, R"("title":"x")"), "", 2));
  CHECK(code(send(app, "edit_board", R"({"board":"classic","title":"x"})", "", 9)) == "REV_MISMATCH");
}

TEST_CASE("Feed.ACursorFromTheFutureAsksForASnapshot") {
  TestApp app;
  CHECK(app.changes(99).too_many);
  CHECK(app.changes(1).boards.empty());
}

TEST_CASE("Feed.AReplicaEqualsTheStoreAfterAnySequenceOfActs") {
  for (unsigned seed = 1; seed <= 8; ++seed) {
    CAPTURE(seed);
    std::mt19937 random{seed};
    TestApp app;
    app.add_worker("dev", {.takes_unassigned = true});
    app.create("First");
    auto const start = app.snapshot();
    auto replica = cards_of(start);
    auto seq = start.seq;
    std::int64_t tasks = 1;
    for (int step = 0; step < 120; ++step) {
      auto const act = random_act(random, tasks);
      auto const answer = app.ask(act.operation, act.request);
      if (!answer) CHECK_MESSAGE(answer.error().code != core::Code::kInternalError, answer.error().message);
      if (answer && act.operation == "create_task" && tasks < 30) ++tasks;
      if (step % 7 != 0) continue;
      auto const changes = app.changes(seq);
      apply(replica, changes);
      seq = changes.to;
      REQUIRE(replica == cards_of(app.snapshot()));
    }
    auto const events = app.events();
    for (std::size_t i = 0; i < events.size(); ++i)
      REQUIRE(events[i].seq == static_cast<std::int64_t>(i) + 1);
  }
}

TEST_CASE("Board.AfterAnySequenceOfActsTheCountersAreWhatCountingGives") {
  std::mt19937 random{7};
  TestApp app;
  app.add_worker("dev", {.takes_unassigned = true});
  app.create("First");
  std::int64_t tasks = 1;
  for (int step = 0; step < 400; ++step) {
    auto const act = random_act(random, tasks);
    if (app.ask(act.operation, act.request) && act.operation == "create_task" && tasks < 40) ++tasks;
  }
  std::map<std::string, std::int64_t> columns;
  std::map<core::TaskId, core::Task> all;
  for (std::int64_t number = 1; number <= tasks; ++number) {
    core::TaskId const id{number};
    all[id] = app.stored(id);
    ++columns[all[id].status];
  }
  for (auto const& [id, task] : all) {
    auto const open = std::ranges::count_if(task.depends_on, [&](auto other) {
      return all.contains(other) && !core::is_terminal(all[other].stage);
    });
    auto const beyond = std::ranges::any_of(task.depends_on, [&](auto other) { return other > tasks; });
    if (!beyond) CHECK(task.state.open_deps == open);
    if (task.stage == core::Stage::ready || core::is_in_work(task.stage)) CHECK(task.approved);
  }
}

TEST_CASE("Access.APersonMaySetNoCommandsAndOnlyTheAdministratorDeletesBoards") {
  TestApp app;
  for (auto const* members : {R"("repo":"/srv/shop")", R"("worktree":true)", R"("checks":{"unit":["make"]})"})
    CHECK(app.refusal("edit_board", R"({"board":"classic",)" + std::string{members} + "}", person("bob")) ==
          "FORBIDDEN");
  CHECK(app.refusal<&service::delete_board>({.board = "classic"}, person("bob")) == "FORBIDDEN");
  CHECK(app.refusal<&service::list_tokens>({}, person("bob")) == "FORBIDDEN");
}

TEST_CASE("Board.AColumnGoesOnlyWhenItsTasksHaveAPlace") {
  TestApp app;
  app.create("Task", {.status = "todo"});
  auto const without =
      R"({"board":"classic","columns":[{"name":"backlog","stage":"backlog"},{"name":"done","stage":"done"}])";
  CHECK(app.refusal("edit_board", std::string{without} + "}") == "INVALID_INPUT");
  app.answer("edit_board", std::string{without} + R"(,"move_tasks":{"todo":"backlog"}})");
  CHECK(app.get(1).status == "backlog");
}

TEST_CASE("Board.WithTasksIsArchivedWithoutThemDeleted") {
  TestApp app;
  CHECK(app.answer<&service::delete_board>({.board = "classic"}).find("deleted") != std::string::npos);
  TestApp full;
  full.create("Task");
  CHECK(full.answer<&service::delete_board>({.board = "classic"}).find("archived") != std::string::npos);
  CHECK(full.refusal<&service::create_task>({.title = "x", .board = "classic"}) == "STATUS_CONFLICT");
}

TEST_CASE("History.NamesWhoStoppedARunAndAndonForItsFailure") {
  TestApp app;
  app.add_worker("ada", {.takes_unassigned = true});
  auto const failing = app.create("One", {.status = "todo"});
  app.finish(app.start("ada"), {.exit = {.code = 3}});
  auto const killed = app.create("Two", {.status = "todo"});
  app.call<&service::edit_task>({.id = failing.id, .assignee = "bob"});
  auto const run = app.start("ada");
  app.call<&service::kill_task>({.id = killed.id}, person("eve"));
  app.finish(run, {.exit = {.signal = 15}});
  std::string said;
  for (auto const& event : app.events())
    if (event.kind == core::EventKind::task_retried || event.kind == core::EventKind::task_killed)
      said += core::to_text(event.actor) + " ";
  CHECK(said == "system user:eve ");
}

TEST_CASE("History.NamesAndonForWhatFollows") {
  TestApp app;
  auto const parent = app.create("Parent");
  app.create("Child", {.parent = std::to_string(parent.id)});
  auto const events = app.events();
  auto const counted = std::ranges::find_if(events, [&](core::Event const& event) {
    return event.task == parent.id && event.kind == core::EventKind::task_edited;
  });
  REQUIRE(counted != events.end());
  CHECK(counted->actor.kind == core::ActorKind::system);
}
