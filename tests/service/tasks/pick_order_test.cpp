#include <algorithm>
#include <random>
#include <set>
#include <thread>

#include <doctest/doctest.h>

#include "core/tasks/pick.hpp"
#include "service/tasks/tasks.hpp"
#include "service/test_app.hpp"

using namespace andon;
using namespace std::chrono_literals;
using test::on;
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
    add_worker("dev", R"("role":"coder","takes_unassigned":true)");
    add_worker("qa", R"("role":"qa")");
    for (int i = 0; i < 80; ++i) add_task();
  }
  template <std::size_t N>
  std::string one_of(char const* const (&list)[N]) {
    return list[random() % N];
  }
  void add_board(std::string const& name) {
    std::vector<std::string> priorities{"p0", "p1", "p2", "p3"},
        classes{R"({"name":"expedite"})", R"({"name":"fixed-date"})", R"({"name":"standard"})",
                R"({"name":"intangible"})"};
    std::ranges::shuffle(priorities, random);
    std::ranges::shuffle(classes, random);
    std::string p, c;
    for (auto const& one : priorities) p += (p.empty() ? "\"" : ",\"") + one + "\"";
    for (auto const& one : classes) c += (c.empty() ? "" : ",") + one;
    answer("create_board",
           "{\"name\":\"" + name + "\",\"priorities\":[" + p + "],\"classes\":[" + c +
               R"(],"default_priority":"p1","columns":[{"name":"backlog","stage":"backlog"},{"name":"todo"},
                               {"name":"next"},{"name":"doing","stage":"active"},{"name":"done","stage":"done"}]})");
  }
  void add_task() {
    auto members = "\"board\":\"" + one_of({"north", "south"}) + "\",\"priority\":\"" +
                   one_of({"p0", "p1", "p2", "p3"}) + "\",\"class\":\"" +
                   one_of({"expedite", "fixed-date", "standard", "intangible"}) + "\",\"status\":\"" +
                   one_of({"todo", "next", "backlog", "doing"}) + "\"";
    if (random() % 2) members += ",\"due\":\"2027-02-0" + std::to_string(1 + random() % 9) + "\"";
    if (random() % 3 == 0) members += ",\"role\":\"" + one_of({"coder", "qa", "other"}) + "\"";
    if (random() % 4 == 0) members += ",\"assignee\":\"" + one_of({"dev", "qa", "eve"}) + "\"";
    if (random() % 6 == 0) members += R"(,"not_before":"2027-03-01T00:00:00Z")";
    if (random() % 6 == 0) members += R"(,"tags":["api"])";
    auto const task = create("Task", members);
    if (random() % 8 == 0 && task.id > 1)
      task_edit(task.id,
                "\"add_deps\":[" + std::to_string(1 + random() % (static_cast<unsigned>(task.id) - 1)) + "]");
    if (random() % 8 == 0) this->task("block_task", on(task.id, R"("reason":"no key")"));
    if (random() % 8 == 0) ask("claim_task", on(task.id, R"("by":"bob")"));
  }
  void task_edit(core::TaskId id, std::string const& members) { task("update_task", on(id, members)); }

  /// What the rule says a free name or a worker picks next from ready columns: read from every task there is.
  core::TaskId expected(core::Picker const& picker, std::string const& class_first) {
    using Key = std::pair<bool, core::PickKey>;
    std::optional<Key> best;
    executor.read([&](service::OperationContext& u) {
      store::TaskFilter all;
      auto const listed = u.tx.list(all, {100'000, {}, store::TaskOrder::id, false});
      for (auto const& task : listed->tasks) {
        auto const& board = *u.tx.board(task.board);
        auto const from = core::pickable_from(task);
        if (task.stage != core::Stage::ready || !from || *from > u.now || !core::fits(picker, task)) continue;
        auto key = core::pick_key(board, task);
        auto const first = core::class_index(board, class_first);
        Key const candidate{first && key.class_rank != static_cast<int>(*first), std::move(key)};
        if (!best || candidate < *best) best = candidate;
      }
    });
    return best ? best->second.id : core::TaskId{};
  }
  core::TaskId picked(std::string const& request) {
    auto const answer = ask("pick_task", request);
    return answer ? reflect::read_json<core::Task>(*answer).value().id : core::TaskId{};
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
      auto const preference = class_first.empty() ? "" : R"(,"class":"intangible")";
      auto const expected = app.expected({"eve", "", false, true}, class_first);
      auto const id = app.picked(R"({"by":"eve","status":["todo","next"],"boards":["north","south"])" +
                                 std::string{preference} + "}");
      REQUIRE(id == expected);
      if (id == 0) break;
      ++taken;
      for (auto const* name : {"dev", "qa"}) {
        core::Picker const worker{name, name == std::string_view{"dev"} ? "coder" : "qa", true,
                                  name == std::string_view{"dev"}};
        auto const next = app.expected(worker, {});
        auto const got = app.picked("{\"worker\":\"" + std::string{name} + "\"}");
        REQUIRE(got == next);
        if (got == 0) continue;
        app.answer("kill_task", on(got));
        app.task("archive_task", on(got));
      }
    }
    CHECK(taken > 3);
  }
}

TEST_CASE("PickOrder.HoldsBetweenBoards") {
  TestApp app;
  app.answer("create_board", R"({"name":"second"})");
  app.create("Plain", R"("status":"todo","priority":"high")");
  auto const due =
      app.create("Due", R"("board":"second","status":"todo","class":"fixed-date","due":"2027-03-01")");
  auto const urgent =
      app.create("Urgent", R"("board":"second","status":"todo","class":"expedite","priority":"low")");
  auto const someday = app.create("Someday", R"("board":"second","status":"todo","class":"intangible")");
  CHECK(app.task("pick_task", R"({"by":"bob","class":"intangible"})").id == someday.id);
  CHECK(app.task("pick_task", R"({"by":"bob"})").id == urgent.id);
  CHECK(app.task("pick_task", R"({"by":"bob"})").id == due.id);
  CHECK(app.task("pick_task", R"({"by":"bob"})").id == 1);
}

TEST_CASE("PickOrder.AWorkerIsDispatchedToTheBestOfItsBoards") {
  TestApp app;
  app.answer("create_board", R"({"name":"second"})");
  app.add_worker("dev", R"("takes_unassigned":true)");
  app.create("Plain", R"("status":"todo")");
  auto const urgent = app.create("Urgent", R"("board":"second","status":"todo","class":"expedite")");
  CHECK(app.start("dev").task == urgent.id);
}

TEST_CASE("PickOrder.ANameThatOnlySomeBoardsHaveNarrowsThePickToThem") {
  TestApp app;
  app.answer("create_board", R"({"name":"lanes","template":"queue"})");
  app.create("Plain", R"("status":"todo")");
  auto const other = app.create("Other", R"("board":"lanes","status":"ready")");
  CHECK(app.task("pick_task", R"({"by":"bob","status":["Ready"]})").id == other.id);
  CHECK(app.refusal("pick_task", R"({"by":"bob","status":["nowhere"]})") == "INVALID_STATUS");
}

TEST_CASE("PickOrder.TheTopCardOfAColumnIsTheNextToBePicked") {
  RandomTestApp app{11};
  for (int round = 0; round < 10; ++round) {
    auto const listed =
        app.answer("list_tasks", R"({"board":"north","status":["todo"],"sort":"pick","unclaimed":true,
        "not_blocked":true,"unblocked":true,"limit":500})");
    auto const items = reflect::read_json<service::TaskList>(listed)->items;
    auto const id = app.picked(R"({"by":"eve","boards":["north"],"status":["todo"]})");
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
  app.create("For eve", R"("status":"todo","assignee":"eve")");
  auto const error = app.error("pick_task", R"({"by":"bob"})");
  CHECK(error.code == core::Code::kNothingToPick);
  CHECK(app.task("pick_task", R"({"by":"eve"})").id == 1);
}

TEST_CASE("Pick.AnExpiredClaimHoldsNoFiles") {
  TestApp app;
  app.create("A", R"("status":"todo","touches":["src/**"],"claim":"bob")");
  app.create("B", R"("status":"todo","touches":["src/a.cpp"],"priority":"critical")");
  CHECK(app.refusal("pick_task", R"({"by":"eve"})") == "NOTHING_TO_PICK");
  app.clock.advance(1h);
  CHECK(app.task("pick_task", R"({"by":"eve"})").id == 2);
}

TEST_CASE("Pick.SixtyFourPickersOverManyTasksGetEachTaskOnce") {
  TestApp app;
  std::string items;
  for (int made = 0; made < kManyTasks; made += 1'000) {
    items.clear();
    for (int i = 0; i < 1'000; ++i)
      items += (i ? "," : "") + std::string{R"({"title":"Task","status":"todo"})"};
    app.answer("create_tasks", "{\"items\":[" + items + "]}");
  }
  std::vector<std::vector<core::TaskId>> won(kPickers);
  {
    std::vector<std::jthread> pickers;
    for (std::size_t i = 0; i < kPickers; ++i)
      pickers.emplace_back([&, i] {
        auto const request = "{\"by\":\"agent-" + std::to_string(i) + R"(","status":["todo"]})";
        while (auto const answer = app.ask("pick_task", request)) {
          auto const at = answer->find("\"id\":") + 5;
          won[i].emplace_back(std::int64_t{std::stoll(answer->substr(at, 12))});
        }
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
