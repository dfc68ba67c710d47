#include <algorithm>
#include <random>
#include <set>
#include <thread>

#include <doctest/doctest.h>

#include "core/tasks/pick.hpp"
#include "service/boards/boards.hpp"
#include "service/tasks/claim.hpp"
#include "service/tasks/edit.hpp"
#include "service/tasks/pick.hpp"
#include "service/tasks/task_actions.hpp"
#include "service/tasks/tasks.hpp"
#include "service/test_app.hpp"
#include "store/engine/unit/unit.hpp"

using namespace andon;
using namespace std::chrono_literals;
using test::TestApp;

namespace {

#ifdef NDEBUG
constexpr int kManyTasks = 10'000;
#else
constexpr int kManyTasks = 2'000;
#endif
constexpr int kPickers = 64;

/// A store of random boards, tasks and workers.
struct RandomTestApp : TestApp {
  explicit RandomTestApp(unsigned seed) : TestApp("classic"), random(seed) {
    for (auto const* name : {"north", "south"}) add_board(name);
    add_worker("dev", {.role = "coder", .takes_unassigned = true});
    add_worker("qa", {.role = "qa"});
    for (int i = 0; i < 80; ++i) add_task();
  }
  template <std::size_t N>
  std::string one_of(char const* const (&list)[N]) {
    return list[random() % N];
  }
  void add_board(std::string const& name) {
    std::vector<std::string> priorities{"p0", "p1", "p2", "p3"};
    std::vector<core::ServiceClass> classes{
        {.name = "expedite"}, {.name = "fixed-date"}, {.name = "standard"}, {.name = "intangible"}};
    std::ranges::shuffle(priorities, random);
    std::ranges::shuffle(classes, random);
    std::vector<core::Column> const columns{{.name = "backlog", .stage = core::Stage::backlog},
                                            {.name = "todo"},
                                            {.name = "next"},
                                            {.name = "doing", .stage = core::Stage::active},
                                            {.name = "done", .stage = core::Stage::done}};
    call<&service::create_board>(
        {{.columns = columns, .priorities = priorities, .classes = classes, .default_priority = "p1"}, name});
  }
  void add_task() {
    service::CreateTaskRequest request;
    request.board = one_of({"north", "south"});
    request.priority = service::PriorityName{one_of({"p0", "p1", "p2", "p3"})};
    request.class_ = one_of({"expedite", "fixed-date", "standard", "intangible"});
    request.status = one_of({"todo", "next", "backlog", "doing"});
    if (random() % 2) request.due = core::parse_date("2027-02-0" + std::to_string(1 + random() % 9));
    if (random() % 3 == 0) request.role = one_of({"coder", "qa", "other"});
    if (random() % 4 == 0) request.assignee = one_of({"dev", "qa", "eve"});
    if (random() % 6 == 0) request.not_before = core::parse_instant("2027-03-01T00:00:00Z");
    if (random() % 6 == 0) request.tags = {"api"};
    auto const task = create("Task", request);
    if (random() % 8 == 0 && task.id > 1) wait_for(task.id, random() % (static_cast<unsigned>(task.id) - 1));
    if (random() % 8 == 0) this->call<&service::block_task>({.id = task.id, .reason = "no key"});
    if (random() % 8 == 0) ask<&service::claim_task>({.id = task.id, .by = "bob"});
  }
  void wait_for(core::TaskId id, std::size_t tasks_before) {
    call<&service::edit_task>({.id = id, .add_deps = {1 + tasks_before}});
  }

  /// What the rule says a free name or a worker picks next from ready columns: read from every task there is.
  core::TaskId expected(core::Picker const& picker, std::string const& class_first) {
    std::optional<core::PreferredPickKey> best;
    executor.read([&](service::OperationContext& u) {
      store::TaskFilter all;
      auto const listed = u.tx.list(all, {100'000, {}, store::TaskOrder::id, false});
      for (auto const& task : listed->tasks) {
        auto const& board = *u.tx.board(task.board);
        auto const from = core::pickable_from(task);
        if (task.stage != core::Stage::ready || !from || *from > u.now || !core::fits(picker, task)) continue;
        auto candidate = core::pick_key(board, task, class_first);
        if (!best || candidate < *best) best = std::move(candidate);
      }
    });
    return best ? best->key.id : core::TaskId{};
  }
  core::TaskId picked(service::PickRequest const& request) {
    auto const answer = ask<&service::pick_task>(request);
    return answer ? answer->id : core::TaskId{};
  }
  std::mt19937 random;
};

}  // namespace

TEST_CASE("PickOrder.OfTheStoreIsTheRuleOverRandomBoards") {
  for (unsigned seed = 1; seed <= 6; ++seed) {
    RandomTestApp app{seed};
    CAPTURE(seed);
    int taken = 0;
    for (int round = 0; round < 60; ++round) {
      auto const class_first = round % 4 == 0 ? std::string{"intangible"} : std::string{};
      auto const expected = app.expected({"eve", "", false, true}, class_first);
      auto const id = app.picked(
          {.by = "eve", .boards = {"north", "south"}, .status = {"todo", "next"}, .class_ = class_first});
      REQUIRE(id == expected);
      if (id == 0) break;
      ++taken;
      for (auto const* name : {"dev", "qa"}) {
        core::Picker const worker{name, name == std::string_view{"dev"} ? "coder" : "qa", true,
                                  name == std::string_view{"dev"}};
        auto const next = app.expected(worker, {});
        auto const got = app.picked({.worker = name});
        REQUIRE(got == next);
        if (got == 0) continue;
        app.call<&service::kill_task>({.id = got});
        app.call<&service::archive_task>({.id = got});
      }
    }
    CHECK(taken > 3);
  }
}

TEST_CASE("PickOrder.HoldsBetweenBoards") {
  TestApp app;
  app.call<&service::create_board>({{}, "second"});
  app.create("Plain", {.status = "todo", .priority = service::PriorityName{"high"}});
  auto const due = app.create(
      "Due",
      {.board = "second", .status = "todo", .due = core::parse_date("2027-03-01"), .class_ = "fixed-date"});
  auto const urgent = app.create(
      "Urgent",
      {.board = "second", .status = "todo", .priority = service::PriorityName{"low"}, .class_ = "expedite"});
  auto const someday = app.create("Someday", {.board = "second", .status = "todo", .class_ = "intangible"});
  CHECK(app.call<&service::pick_task>({.by = "bob", .class_ = "intangible"}).id == someday.id);
  CHECK(app.call<&service::pick_task>({.by = "bob"}).id == urgent.id);
  CHECK(app.call<&service::pick_task>({.by = "bob"}).id == due.id);
  CHECK(app.call<&service::pick_task>({.by = "bob"}).id == 1);
}

TEST_CASE("PickOrder.AWorkerIsDispatchedToTheBestOfItsBoards") {
  TestApp app;
  app.call<&service::create_board>({{}, "second"});
  app.add_worker("dev", {.takes_unassigned = true});
  app.create("Plain", {.status = "todo"});
  auto const urgent = app.create("Urgent", {.board = "second", .status = "todo", .class_ = "expedite"});
  CHECK(app.start("dev").task == urgent.id);
}

TEST_CASE("PickOrder.ANameThatOnlySomeBoardsHaveNarrowsThePickToThem") {
  TestApp app;
  app.call<&service::create_board>({{}, "lanes", "queue"});
  app.create("Plain", {.status = "todo"});
  auto const other = app.create("Other", {.board = "lanes", .status = "ready"});
  CHECK(app.call<&service::pick_task>({.by = "bob", .status = {"Ready"}}).id == other.id);
  CHECK(app.refusal<&service::pick_task>({.by = "bob", .status = {"nowhere"}}) == "INVALID_STATUS");
}

TEST_CASE("PickOrder.TheTopCardOfAColumnIsTheNextToBePicked") {
  RandomTestApp app{11};
  for (int round = 0; round < 10; ++round) {
    auto const listed = app.call<&service::list_tasks>({.board = "north",
                                                        .status = {"todo"},
                                                        .unclaimed = true,
                                                        .not_blocked = true,
                                                        .unblocked = true,
                                                        .sort = "pick",
                                                        .limit = 500});
    auto const items = listed.items;
    auto const id = app.picked({.by = "eve", .boards = {"north"}, .status = {"todo"}});
    if (id == 0) break;
    auto const top = std::ranges::find_if(items, [&](auto const& task) {
      return core::fits({"eve", "", false, true}, task) && !task.not_before;
    });
    REQUIRE(top != items.end());
    CHECK(top->id == id);
  }
}

TEST_CASE("Pick.NobodyTakesWhatIsMeantForSomebodyElse") {
  TestApp app;
  app.create("For eve", {.status = "todo", .assignee = "eve"});
  auto const error = app.error<&service::pick_task>({.by = "bob"});
  CHECK(error.code == core::Code::kNothingToPick);
  CHECK(app.call<&service::pick_task>({.by = "eve"}).id == 1);
}

TEST_CASE("Pick.AnExpiredClaimHoldsNoFiles") {
  TestApp app;
  app.create("A", {.status = "todo", .touches = {"src/**"}, .claim = "bob"});
  app.create("B",
             {.status = "todo", .priority = service::PriorityName{"critical"}, .touches = {"src/a.cpp"}});
  CHECK(app.refusal<&service::pick_task>({.by = "eve"}) == "NOTHING_TO_PICK");
  app.clock.advance(1h);
  CHECK(app.call<&service::pick_task>({.by = "eve"}).id == 2);
}

TEST_CASE("Pick.SixtyFourPickersOverManyTasksGetEachTaskOnce") {
  TestApp app;
  std::vector<service::CreateTaskRequest> const thousand(1'000, {.title = "Task", .status = "todo"});
  for (int made = 0; made < kManyTasks; made += 1'000) app.call<&service::create_tasks>({.items = thousand});
  std::vector<std::vector<core::TaskId>> won(kPickers);
  {
    std::vector<std::jthread> pickers;
    for (std::size_t i = 0; i < kPickers; ++i)
      pickers.emplace_back([&, i] {
        service::PickRequest const request{.by = "agent-" + std::to_string(i), .status = {"todo"}};
        while (auto const task = app.ask<&service::pick_task>(request)) won[i].push_back(task->id);
      });
  }
  std::set<core::TaskId> distinct;
  std::size_t all = 0;
  for (auto const& ids : won) {
    all += ids.size();
    distinct.insert(ids.begin(), ids.end());
  }
  CHECK(all == static_cast<std::size_t>(kManyTasks));
  CHECK(distinct.size() == all);
}
