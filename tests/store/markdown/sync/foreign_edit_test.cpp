#include <algorithm>
#include <chrono>
#include <sys/stat.h>

#include <doctest/doctest.h>

#include "os/processes/clock.hpp"
#include "store/contract/examination.hpp"
#include "store/engine/unit/unit.hpp"
#include "store/markdown/test_board.hpp"

using namespace andon;
using namespace andon::test;

namespace {

constexpr std::string_view kFirst = "001-do-something.md";

/// As an editor does that keeps the file and writes into it.
void edit_in_place(std::filesystem::path const& file, std::string_view from, std::string_view to) {
  auto text = ByHand::read(file);
  auto const at = text.find(from);
  REQUIRE(at != std::string::npos);
  text.replace(at, from.size(), to);
  REQUIRE(::chmod(file.c_str(), 0600) == 0);
  std::ofstream{file, std::ios::trunc} << text;
}

std::vector<core::TaskId> listed(TestBoard& app, bool archived = false) {
  return seen(app.store(), [&](store::Tx& tx) {
    store::TaskFilter filter;
    filter.now = os::SystemClock{}.now();
    filter.archived = archived;
    std::vector<core::TaskId> out;
    auto const found = tx.list(filter, {});
    for (auto const& task : found->tasks) out.push_back(task.id);
    return out;
  });
}

std::string a_file(core::TaskId id, std::string const& title, std::string const& more = {}) {
  return "---\nid: " + std::to_string(id) + "\ntitle: " + title +
         "\nstatus: todo\npriority: medium\ncreated: 2026-11-01T08:00:00Z\nupdated: 2026-11-01T08:00:00Z\n" +
         more + "---\n";
}

void archive(TestBoard& app, core::TaskId id) {
  change_task(app.store(), id, [](core::Task& task) {
    task.status = "archived";
    task.stage = core::Stage::archived;
  });
}

}  // namespace

TEST_CASE("ForeignEdits.OfArchivedTasksAreSeen") {
  TestBoard app;
  add_task(app.store());
  add_task(app.store(), a_task("Child").child_of(1));
  archive(app, 2);
  CHECK(listed(app) == std::vector<core::TaskId>{1});
  edit_in_place(app.task("002-child.md"), "title: Child", "title: Other");
  CHECK(app.seen_task(2).title == "Other");
  CHECK(app.seen_task(1).title == "Do something");
  edit_in_place(app.task("002-child.md"), "title: Other", "title: Third");
  change_task(app.store(), 2, [](core::Task& task) { task.estimate = "1h"; });
  CHECK(app.seen_task(2).title == "Third");
  CHECK(app.seen_task(2).estimate == "1h");
}

TEST_CASE("ForeignEdits.BringArchivedTasksBack") {
  TestBoard app;
  add_task(app.store());
  archive(app, 1);
  CHECK(listed(app).empty());
  edit_in_place(app.task(std::string{kFirst}), "status: archived", "status: todo");
  CHECK(listed(app) == std::vector<core::TaskId>{1});
}

TEST_CASE("ForeignEdits.AClaimOfAnArchivedTaskStopsNobody") {
  TestBoard app;
  add_task(app.store());
  add_task(app.store(), a_task("Child").child_of(1));
  archive(app, 2);
  app.close();
  app.edit(app.task("002-child.md"), "---\nid", "---\nclaimed_by: z\nclaimed_at: 2099-01-01T00:00:00Z\nid");
  app.open();
  for (int i = 0; i < 3; ++i) {
    CHECK(app.seen_task(2).claimed_by == "z");
    CHECK(listed(app, true).size() == 2);
    REQUIRE(::chmod(app.task("002-child.md").c_str(), 0644) == 0);  // as git checks it out
  }
}

TEST_CASE("ForeignEdits.OfANumberLeaveNoTaskBehind") {
  TestBoard app;
  add_task(app.store());
  add_task(app.store(), a_task("Second"));
  app.edit(app.task("002-second.md"), "id: 2\n", "id: 7\n");
  auto const findings = store::examine_board(app.path(""), os::SystemClock{}.now());
  CHECK(std::ranges::any_of(findings, [](auto const& finding) {
    return finding.about.contains("002-second.md") && finding.text.contains("was task #2");
  }));
  CHECK(listed(app) == std::vector<core::TaskId>{1, 7});
  CHECK_FALSE(app.has_task(2));
  app.edit(app.task("007-second.md"), "id: 7\n", "id: 1\n");
  CHECK(listed(app) == std::vector<core::TaskId>{1, 8});
  CHECK(app.warned_of("auto-repaired: 007-second.md is now 008-second.md"));
}

TEST_CASE("ForeignEdits.ThatCannotBeReadKeepOthersWaiting") {
  TestBoard app;
  add_task(app.store(), a_task("First"));
  add_task(app.store(), a_task("Second").waiting_for(1));
  app.edit(app.task("001-first.md"), "status: ", "status: [");
  CHECK(app.seen_task(2).state.open_deps == 1);
  app.edit(app.task("001-first.md"), "status: [", "status: ");
  CHECK(app.seen_task(2).state.open_deps == 1);
  app.edit(app.task("001-first.md"), "status: ", "status: [");
  CHECK(app.seen_task(2).state.open_deps == 1);
  std::filesystem::remove(app.task("001-first.md"));
  CHECK(app.seen_task(2).state.open_deps == 0);
}

TEST_CASE("ForeignEdits.OfManyArchivedTasksAreSeenInTime") {
  TestBoard app;
  constexpr int kMany = 1200;
  app.close();
  for (int id = 1; id <= kMany; ++id) {
    auto text = a_file(core::TaskId{id}, "Old");
    text.replace(text.find("todo"), 4, "archived");
    app.write(app.task((id < 10 ? "00" : id < 100 ? "0" : "") + std::to_string(id) + "-old.md"), text);
  }
  app.open();
  CHECK(listed(app).empty());
  edit_in_place(app.task("1100-old.md"), "status: archived", "status: todo");
  auto const until = std::chrono::steady_clock::now() + std::chrono::seconds{30};
  while (listed(app).empty() && std::chrono::steady_clock::now() < until) {
  }
  CHECK(listed(app) == std::vector<core::TaskId>{1100});
}

TEST_CASE("ForeignFiles.WithMoreKeysThanAnyTaskHasAreFaultyAtOnce") {
  TestBoard app;
  add_task(app.store());
  std::string keys;
  for (int i = 0; i < 60'000; ++i) keys += "key_" + std::to_string(i) + ": v\n";
  app.write(app.task("002-keys.md"), a_file(2, "Keys", keys));
  keys = "deep: {";
  for (int i = 0; i < 60'000; ++i) keys += "k" + std::to_string(i) + ": v, ";
  app.write(app.task("003-map.md"), a_file(3, "Map", keys + "}\n"));
  app.write(app.task("004-long.md"), a_file(4, "Long") + std::string(1U << 20U, 'x'));
  CHECK(listed(app) == std::vector<core::TaskId>{1});
  for (auto const* name : {"002-keys.md", "003-map.md", "004-long.md"}) {
    CAPTURE(name);
    CHECK(app.warned_of(name));
  }
}
