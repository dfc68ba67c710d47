#include <algorithm>
#include <map>
#include <random>

#include <doctest/doctest.h>

#include "reflect/json.hpp"
#include "service/access/access.hpp"
#include "service/boards/boards.hpp"
#include "service/tasks/claim.hpp"
#include "service/tasks/create.hpp"
#include "service/tasks/edit.hpp"
#include "service/tasks/finish.hpp"
#include "service/tasks/move.hpp"
#include "service/tasks/pick.hpp"
#include "service/tasks/task_actions.hpp"
#include "service/tasks/tasks.hpp"
#include "service/test_app.hpp"
#include "service/workers/workers.hpp"

using namespace andon;
using namespace std::chrono_literals;
using test::ann;
using test::AnyCall;
using test::call_of;
using test::person;
using test::TestApp;

namespace {

/// A call with an idempotency key or `If-Match`, which requests do not carry.
template <auto F>
core::Result<api::Answer> send(TestApp& app, test::RequestOf<F> const& request, std::string key,
                               std::optional<core::Revision> rev = {}, service::Caller caller = ann()) {
  auto call = api::call_of<F>(request, std::move(caller));
  call.idempotency_key = std::move(key);
  call.expected_rev = rev;
  return app.executor.run(std::move(call));
}

std::string code(core::Result<api::Answer> const& answer) {
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
struct RandomAct {
  AnyCall call;
  bool creates = false;
};
AnyCall random_verb(std::mt19937& random, core::TaskId id) {
  switch (random() % 12) {
    case 0: return call_of<&service::release_task>({.id = id});
    case 1: return call_of<&service::start_task>({.id = id});
    case 2: return call_of<&service::submit_task>({.id = id});
    case 3: return call_of<&service::complete_task>({.id = id});
    case 4: return call_of<&service::handoff_task>({.id = id});
    case 5: return call_of<&service::unblock_task>({.id = id});
    case 6: return call_of<&service::accept_task>({.id = id});
    case 7: return call_of<&service::retry_task>({.id = id});
    case 8: return call_of<&service::kill_task>({.id = id});
    case 9: return call_of<&service::archive_task>({.id = id});
    case 10: return call_of<&service::approve_task>({.id = id});
    default: return call_of<&service::delete_task>({.id = id});
  }
}
RandomAct random_act(std::mt19937& random, std::int64_t tasks) {
  auto const pick = [&](auto const& list) { return std::string{list[random() % std::size(list)]}; };
  static constexpr std::string_view kColumns[] = {"backlog", "todo", "in_progress", "blocked", "done"};
  static constexpr std::string_view kPeople[] = {"ann", "bob", "dev"};
  auto const any_task = [&] {
    return core::TaskId{static_cast<std::int64_t>(random() % static_cast<unsigned>(tasks) + 1)};
  };
  core::TaskId const id = any_task(), other = any_task();
  switch (random() % 12) {
    case 0: return {call_of<&service::create_task>({.title = "New", .status = pick(kColumns)}), true};
    case 1:
      return {call_of<&service::create_task>({.title = "Sub", .parent = other, .depends_on = {other}}), true};
    case 2:
      return {
          call_of<&service::edit_task>({.id = id, .title = "Title " + std::to_string(other), .force = true})};
    case 3: return {call_of<&service::edit_task>({.id = id, .add_deps = {other}, .force = true})};
    case 4: return {call_of<&service::edit_task>({.id = id, .parent = other, .force = true})};
    case 5:
    case 6: return {call_of<&service::move_task>({.id = id, .status = pick(kColumns), .force = true})};
    case 7: return {call_of<&service::pick_task>({.by = pick(kPeople)})};
    case 8: return {call_of<&service::claim_task>({.id = id, .by = pick(kPeople)})};
    case 9: return {call_of<&service::block_task>({.id = id, .reason = "because", .force = true})};
    case 10: return {call_of<&service::note_task>({.id = id, .text = "a note"})};
    default: return {random_verb(random, id)};
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
  auto const columns = [](std::vector<core::Column> wanted) {
    return call_of<&service::edit_board>({{.columns = std::move(wanted)}, "classic"});
  };
  for (auto const& act :
       {call_of<&service::create_task>({.title = ""}),
        call_of<&service::move_task>({.id = 7, .status = "todo"}),
        call_of<&service::create_board>({{}, "classic"}), call_of<&service::create_board>({{}, "12"}),
        columns({{.name = "one"}}), columns({{.name = "To Do"}, {.name = "to-do"}}),
        call_of<&service::edit_board>({{.default_status = "nowhere"}, "classic"}),
        call_of<&service::add_worker>({.name = "a b"}),
        call_of<&service::add_worker>({.name = "x", .capacity = 0}),
        call_of<&service::edit_worker>({.name = "nobody"}), call_of<&service::pick_task>({.by = "bob"}),
        call_of<&service::create_tasks>(
            {.items = {{.title = "A"}, {.title = "B", .priority = service::PriorityName{"P9"}}}})})
    app.refusal(act);
  CHECK(app.digest() == before);
}

TEST_CASE("History.EchoesTheMutationOfItsAuthor") {
  TestApp app;
  REQUIRE(send<&service::create_task>(app, {.title = "Task"}, "m1"));
  CHECK(app.events().back().mutation == "m1");
  CHECK(app.changes(1).boards.front().tasks.front().why.m == "m1");
}

TEST_CASE("Retry.OneKeyHasOneEffectAndOneAnswer") {
  TestApp app;
  auto const first = send<&service::create_task>(app, {.title = "Task"}, "k1");
  auto const again = send<&service::create_task>(app, {.title = "Task"}, "k1");
  CHECK(first->text() == again->text());
  CHECK(app.snapshot().tasks.size() == 1);
  CHECK(code(send<&service::create_task>(app, {.title = "Other"}, "k1")) == "INVALID_INPUT");
  CHECK(code(send<&service::note_task>(app, {.id = 1, .text = "x"}, "k1")) == "INVALID_INPUT");
  CHECK(send<&service::create_task>(app, {.title = "Other"}, "k1", {}, person("bob")));
  CHECK(code(send<&service::move_task>(app, {.id = 1, .status = "nowhere"}, "k2")) == "INVALID_STATUS");
  CHECK(send<&service::move_task>(app, {.id = 1, .status = "todo"}, "k2"));
}

TEST_CASE("Retry.AnOldRevIsRefusedWithTheTaskAsItIsNow") {
  TestApp app;
  app.create("Task");
  app.move(1, "todo");
  auto const refused = send<&service::edit_task>(app, {.id = 1, .title = "x"}, "", 1);
  CHECK(code(refused) == "REV_MISMATCH");
  CHECK(refused.error().current->rev == 2);
  CHECK(send<&service::edit_task>(app, {.id = 1, .title = "x"}, "", 2));
  CHECK(code(send<&service::edit_board>(app, {{.title = "x"}, "classic"}, "", 9)) == "REV_MISMATCH");
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
      auto const answer = app.ask(act.call);
      if (!answer) CHECK_MESSAGE(answer.error().code != core::Code::kInternalError, answer.error().message);
      if (answer && act.creates && tasks < 30) ++tasks;
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
    if (app.ask(act.call) && act.creates && tasks < 40) ++tasks;
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
  using Policies = service::BoardPolicies;
  using Commands = std::map<std::string, std::vector<std::string>>;
  for (auto const& policies :
       {Policies{.repo = "/srv/shop"}, Policies{.worktree = true}, Policies{.branch = "develop"},
        Policies{.branch_prefix = "agents"}, Policies{.folder = "app"},
        Policies{.filters = std::vector<std::string>{"lfs"}},
        Policies{.checks = Commands{{"unit", {"make"}}}}})
    CHECK(app.refusal<&service::edit_board>({policies, "classic"}, person("bob")) == "FORBIDDEN");
  CHECK(app.refusal<&service::delete_board>({.board = "classic"}, person("bob")) == "FORBIDDEN");
  CHECK(app.refusal<&service::list_tokens>({}, person("bob")) == "FORBIDDEN");
}

TEST_CASE("Board.AColumnGoesOnlyWhenItsTasksHaveAPlace") {
  TestApp app;
  app.create("Task", {.status = "todo"});
  service::EditBoardRequest without{
      {.columns = std::vector<core::Column>{{.name = "backlog", .stage = core::Stage::backlog},
                                            {.name = "done", .stage = core::Stage::done}}},
      "classic"};
  CHECK(app.refusal<&service::edit_board>(without) == "INVALID_INPUT");
  without.move_tasks = {{"todo", "backlog"}};
  app.call<&service::edit_board>(without);
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
