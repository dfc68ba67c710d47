#include <algorithm>
#include <random>

#include "store/contract/stores.hpp"
#include "store/engine/unit/unit.hpp"

using namespace andon;
using namespace andon::test;
using store::TaskFilter;
using store::TaskOrder;

namespace {

using Ids = std::vector<core::TaskId>;
constexpr std::array kOrders{TaskOrder::id,      TaskOrder::title,   TaskOrder::status, TaskOrder::priority,
                             TaskOrder::created, TaskOrder::updated, TaskOrder::due,    TaskOrder::pick};
constexpr int kManyTasks = 6'000;  // beyond what is sorted in memory

core::Task some_task(std::mt19937& jitter, int n) {
  auto const below = [&](int end) { return std::uniform_int_distribution<>{0, end - 1}(jitter); };
  auto one = [&](auto... words) {
    return std::array<std::string, sizeof...(words)>{
        words...}[static_cast<std::size_t>(below(sizeof...(words)))];
  };
  core::Task task = a_task("title " + std::to_string(below(500)))
                        .in(one("backlog", "todo", "todo", "doing", "done", "archived"))
                        .priority(one("low", "medium", "high"))
                        .of_class(one("", "", "standard", "intangible"))
                        .assigned_to(one("", "ann", "ann", "bob"))
                        .for_role(one("", "qa"));
  if (below(10) != 0) task.tags = {"common"};
  if (below(500) == 0) task.tags.emplace_back("rare");
  if (below(3) == 0) task.due = core::Date{std::chrono::sys_days{std::chrono::days{below(40)}}};
  if (below(40) == 0) task.blocked = true;
  task.created = at_minute(n / 3 - below(5));
  task.updated = at_minute(below(kManyTasks));
  return task;
}

store::Store& filled(StoreUnderTest& store) {
  add_board(*store);
  std::mt19937 jitter{5};
  for (int n = 0; n < kManyTasks;)
    keep(*store, [&](store::Tx& tx) {
      for (int end = n + 1'000; n < end; ++n) tx.add(some_task(jitter, n));
    });
  return *store;
}

std::vector<core::Task> tasks_in_pages(store::Store& store, TaskFilter const& filter, store::Page page) {
  std::vector<core::Task> out;
  int pages = 0;
  do {
    auto const found = seen(store, [&](auto& tx) { return *tx.list(filter, page); });
    out.insert(out.end(), found.tasks.begin(), found.tasks.end());
    page.cursor = found.next;
  } while (!page.cursor.empty() && ++pages < 1'000);
  return out;
}

Ids ids_in(std::vector<core::Task> const& tasks) {
  Ids out;
  for (auto const& task : tasks) out.push_back(task.id);
  return out;
}
Ids paged(store::Store& store, TaskFilter const& filter, store::Page const& page) {
  return ids_in(tasks_in_pages(store, filter, page));
}

/// What the tasks are ordered by, without the store's help.
auto key(TaskOrder order, core::Task const& task) {
  auto const text = order == TaskOrder::title ? task.title : std::string{};
  std::int64_t number = 0;
  if (order == TaskOrder::created) number = task.created.time_since_epoch().count();
  if (order == TaskOrder::updated) number = task.updated.time_since_epoch().count();
  if (order == TaskOrder::due) number = task.due ? task.due->day.time_since_epoch().count() : 1'000'000;
  if (order == TaskOrder::priority) number = task.priority == "low" ? 1 : task.priority == "medium" ? 2 : 3;
  return std::tuple{text, number};
}

}  // namespace

TEST_CASE("Lists.OfManyTasksHaveEveryTaskOnceInOrder") {
  StoreUnderTest under_test{KindOfStore::memory};
  auto& store = filled(under_test);
  auto const check = [&](auto change) {
    TaskFilter filter;
    filter.now = at_minute(0);
    change(filter);
    auto const expected = paged(store, filter, {100'000, {}});
    CHECK(std::ssize(expected) == seen(store, [&](auto& tx) { return tx.count(filter); }));
    for (auto const order : kOrders)
      for (bool const reverse : {false, true}) {
        CAPTURE(static_cast<int>(order));
        auto tasks = tasks_in_pages(store, filter, {500, {}, order, reverse, false, 700});
        if (reverse) std::ranges::reverse(tasks);
        bool const rises = order == TaskOrder::pick || order == TaskOrder::status ||
                           std::ranges::is_sorted(tasks, {}, [&](auto const& t) { return key(order, t); });
        CHECK(rises);
        auto listed = ids_in(tasks);
        std::ranges::sort(listed);
        CHECK(listed == expected);
      }
  };
  check([](auto&) {});
  check([](auto& f) { f.archived = true; });
  check([](auto& f) { f.tag = "rare"; });
  check([](auto& f) { f.tag = "common"; });
  check([](auto& f) { f.tag = "none"; });
  check([](auto& f) { f.assignee = "ann", f.role = "qa"; });
  check([](auto& f) { f.statuses = {"todo"}; });
  check([](auto& f) { f.stages = {core::Stage::active}; });
  check([](auto& f) { f.stages = {core::Stage::archived}; });
  check([](auto& f) { f.class_ = "standard"; });
  check([](auto& f) { f.class_ = "intangible"; });
  check([](auto& f) { f.blocked = true; });
  check([](auto& f) { f.text = "title 77"; });
}

TEST_CASE("Lists.EndAPageThatPassedOverTooMuch") {
  StoreUnderTest under_test{KindOfStore::memory};
  auto& store = filled(under_test);
  TaskFilter filter;
  filter.text = "no such words";
  auto const page =
      seen(store, [&](auto& tx) { return *tx.list(filter, {10, {}, TaskOrder::title, false, false, 50}); });
  CHECK(page.tasks.empty());
  CHECK_FALSE(page.next.empty());
  CHECK(paged(store, filter, {10, {}, TaskOrder::title, false, false, 500}).empty());
}

TEST_CASE("Search.OfWordsThatManyTasksHaveOffersTitlesFirstAndSaysWhenItStops") {
  StoreUnderTest under_test{KindOfStore::memory};
  auto& store = filled(under_test);
  add_task(store, a_task("a walnut").with_body("has a title"));
  add_task(store, a_task("walnut").with_body("nothing"));
  auto const search = [&](std::vector<core::SearchWords> words, std::size_t skip) {
    return seen(store, [&](auto& tx) { return tx.search({words, {}}, at_minute(0), 20, skip); });
  };
  auto const first = search({{"title", false, false}}, 0);
  REQUIRE(first.hits.size() == 20);
  CHECK(first.more);
  CHECK_FALSE(first.truncated);
  for (auto const& hit : first.hits) CHECK(hit.snippet.find("title") != std::string::npos);
  CHECK(search({{"title", false, false}}, 20).hits.front().task.id > first.hits.back().task.id);
  CHECK(search({{"title", false, false}}, 2'990).truncated);
  auto const both = search({{"title", false, false}, {"walnut", false, false}}, 0);
  REQUIRE(both.hits.size() == 1);
  CHECK(both.hits[0].task.title == "a walnut");
  CHECK(search({{"walnut", false, false}, {"title", false, true}}, 0).hits.front().task.title == "walnut");
}

TEST_CASE("Search.WithoutWordsGoesOnBehindATask") {
  StoreUnderTest under_test{KindOfStore::memory};
  auto& store = filled(under_test);
  core::SearchQuery const query{
      {},
      {{core::SearchField::priority, {"high"}, false, 0}, {core::SearchField::is, {"overdue"}, false, 0}}};
  Ids found;
  core::TaskId after = 0;
  for (bool more = true; more;) {
    auto const page = seen(store, [&](auto& tx) { return tx.search(query, at_minute(0), 100, 0, after); });
    for (auto const& hit : page.hits) found.push_back(hit.task.id);
    after = page.after;
    more = page.more;
  }
  auto const expected = seen(store, [](auto& tx) {
    Ids out;
    auto const all = tx.list({}, {100'000, {}});
    for (auto const& task : all->tasks)
      if (task.priority == "high" && task.due && !core::is_terminal(task.stage)) out.push_back(task.id);
    return out;
  });
  CHECK(found == expected);
}
