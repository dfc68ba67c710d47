#include <future>
#include <sys/stat.h>

#include "os/files/file.hpp"
#include "store/markdown/test_board.hpp"
#include "store/sqlite/database/connection.hpp"

using namespace andon;
using namespace andon::test;

namespace {

constexpr char kFirst[] = "001-do-something.md";

mode_t mode_of(std::filesystem::path const& file) {
  struct stat about{};
  REQUIRE(::stat(file.c_str(), &about) == 0);
  return about.st_mode & 0777U;
}

std::string a_file(int id, std::string const& title, std::string const& rest = "") {
  return "---\nid: " + std::to_string(id) + "\ntitle: " + title + "\nstatus: todo\npriority: high\n" + rest +
         "---\n";
}

core::Worker a_worker(std::string name) {
  core::Worker worker;
  worker.name = std::move(name);
  worker.agent = "claude";
  return worker;
}

}  // namespace

TEST_CASE("Files.MayLieInAnyDirectoryOfTheBoard") {
  for (auto const* name : {"./tasks", "tasks/", "work/open", ".", "work/../open", "..hidden"}) {
    CAPTURE(name);
    TestBoard app;
    app.close();
    app.edit(app.path("config.yml"), "tasks_dir: tasks", "tasks_dir: " + std::string{name});
    app.open();
    add_task(app.store(), a_task("First"));
    app.close();
    app.open();
    auto const task = app.seen_task(1);
    CHECK(task.title == "First");
    CHECK(std::filesystem::path{task.file} == std::filesystem::path{task.file}.lexically_normal());
    CHECK(std::filesystem::exists(task.file));
  }
}

TEST_CASE("Settings.AreWrittenOnceAsTheBoardIsAtLast") {
  TestBoard app;
  auto const config = app.path("config.yml");
  auto const names = [&] {
    auto const text = app.read(config);
    return text.substr(0, text.find("\npriorities:"));
  };
  app.edit(config, "    - name: todo\n", "    - name: todo # next\n      colour: red\n");
  auto const before = names();
  keep(app.store(), [](store::Tx& tx) {
    auto board = *tx.boards().front();
    auto both = board;
    both.columns.emplace(both.columns.begin() + 1)->name = "ready";
    both.rev = core::next(both.rev);
    tx.put(both);
    tx.add(a_task());
    board.columns[1].name = "ready";
    board.rev = core::next(both.rev);
    tx.put(board);
  });
  auto expected = before;
  expected.replace(expected.find("name: todo #"), 12, "name: ready #");
  CHECK(names() == expected);
  CHECK(app.read(config).contains("\nnext_id: 2\n"));
}

TEST_CASE("Files.LogBehindALineThatWasCutOff") {
  TestBoard app;
  auto const log = app.path("activity.jsonl");
  app.write(log, "{\"timestamp\":\"2026-");
  keep(app.store(),
       [](store::Tx& tx) { tx.append(an_event(core::EventKind::task_created, tx.add(a_task("First")).id)); });
  CHECK(app.read(log).starts_with("{\"timestamp\":\"2026-\n{\"timestamp\":"));
}

TEST_CASE("Files.TakeNoNumberBeyondTheHighest") {
  TestBoard app;
  app.write(app.task("4503599627370496-last.md"),
            "---\nid: 4503599627370496\ntitle: Last\nstatus: todo\n---\n");
  app.write(app.task("9223372036854775807-x.md"), "no task");
  CHECK(app.has_task(core::TaskId{4503599627370496}));
  CHECK_THROWS_AS(add_task(app.store(), a_task("More")), store::StoreError);
  CHECK(app.seen_task(core::TaskId{4503599627370496}).title == "Last");
}

TEST_CASE("Files.AreWrittenWithTheUnit") {
  TestBoard app;
  auto const task = add_task(app.store(), a_task().with_body("Brief"));
  CHECK(task.file == app.task(kFirst).native());
  CHECK(app.read(app.task(kFirst)).contains("title: Do something\nstatus: backlog\n"));
  CHECK(app.read(app.task(kFirst)).ends_with("---\n\nBrief\n"));
  CHECK(app.read(app.path("config.yml")).contains("next_id: 2\n"));
  CHECK(app.read(app.path(".andon/.gitignore")) == "*\n");
  store::write(app.store(), [](store::Tx& tx) {
    tx.add(a_task("Never"));
    return store::Outcome::rollback;
  });
  CHECK_FALSE(std::filesystem::exists(app.task("002-never.md")));
}

TEST_CASE("Files.AnIntentOfSomebodyElseMovesNothingOutOfTheBoard") {
  TestBoard app;
  add_task(app.store());
  os::write_file(app.path(".andon/new/task-0"), "mischief");
  os::write_file(app.path(".andon/intent"), R"([{"from":"task-0","to":"../escaped.md","old":""},
      {"from":"../../config.yml","to":"003-taken.md","old":""},{"from":"task-0","to":"002-x.md","old":"../config.md"}])");
  change_task(app.store(), 1, [](core::Task& t) { t.priority = "high"; });
  CHECK_FALSE(std::filesystem::exists(app.path("escaped.md")));
  CHECK_FALSE(std::filesystem::exists(app.task("002-x.md")));
  CHECK_FALSE(std::filesystem::exists(app.task("003-taken.md")));
  CHECK(std::filesystem::exists(app.path("config.yml")));
  CHECK(std::filesystem::is_empty(app.path(".andon/intent")));
}

TEST_CASE("Files.AreNotKeptBehindALink") {
  test::Scratch elsewhere, board;
  std::filesystem::create_symlink(elsewhere.path(), board / ".andon");
  CHECK_THROWS_AS(store::open_store("markdown:" + board.path().native()), store::StoreError);
  CHECK(std::filesystem::is_empty(elsewhere.path()));
}

TEST_CASE("Files.HaveOneLineEndBehindTheBodyAndTheIndexSaysWhatTheyHave") {
  TestBoard app;
  auto const body = [&] { return seen(app.store(), [](store::Tx& tx) { return tx.body(1).value_or(""); }); };
  add_task(app.store(), a_task().with_body("\n \nBrief\r\nmore\n"));
  CHECK(app.read(app.task(kFirst)).ends_with("---\n\nBrief\nmore\n"));
  CHECK(body() == "Brief\nmore");
  for (auto const* given : {"Brief\nmore\n", "Other\n"}) {
    keep(app.store(), [&](store::Tx& tx) {
      auto task = *tx.task(1);
      task.body = given;
      tx.put(task, true);
    });
    CHECK(app.read(app.task(kFirst)).ends_with("---\n\n" + std::string{given}));
    CHECK(body() + "\n" == given);
  }
  auto const before = body();
  app.lose_index();
  CHECK(body() == before);
}

TEST_CASE("Files.ChangeInTheLinesThatChanged") {
  TestBoard app;
  add_task(app.store());
  auto expected = app.read(app.task(kFirst));
  change_task(app.store(), 1, [](core::Task& t) {
    t.priority = "high";
    t.updated = at_minute(9);
  });
  auto const change = [&](std::string_view from, std::string_view to) {
    expected.replace(expected.find(from), from.size(), to);
  };
  change("priority: medium", "priority: high");
  change("updated: 2027-01-15T08:00:00Z", "updated: 2027-01-15T08:09:00Z");
  CHECK(app.read(app.task(kFirst)) == expected);
}

TEST_CASE("Files.FollowTheTitle") {
  TestBoard app;
  add_task(app.store());
  auto const task = change_task(app.store(), 1, [](core::Task& t) { t.title = "Fix the Cart"; });
  CHECK(task.file == app.task("001-fix-the-cart.md").native());
  CHECK(std::filesystem::exists(app.task("001-fix-the-cart.md")));
  CHECK_FALSE(std::filesystem::exists(app.task(kFirst)));
}

TEST_CASE("Files.OfHeldTasksAreReadOnly") {
  TestBoard app;
  auto const far = core::Instant{core::Duration{4'000'000'000'000}};
  add_task(app.store(), a_task().claimed_by("bob", far));
  CHECK(mode_of(app.task(kFirst)) == 0444);
  change_task(app.store(), 1, [](core::Task& t) {
    t.claimed_by.clear();
    t.claimed_at.reset();
    t.claim_expires.reset();
    t.epoch = core::next(t.epoch);
  });
  CHECK(mode_of(app.task(kFirst)) == 0600);
  ::chmod(app.task(kFirst).c_str(), 0444);
  app.seen_task(1);
  CHECK(mode_of(app.task(kFirst)) == 0600);
}

TEST_CASE("ForeignEdits.AreSeenByReadersAndWriters") {
  TestBoard app;
  add_task(app.store());
  app.edit(app.task(kFirst), "priority: medium", "priority: high");
  CHECK(app.seen_task(1).priority == "high");
  app.edit(app.task(kFirst), "title: Do something", "title: Do it\nsprint: 4");
  change_task(app.store(), 1, [](core::Task& t) {
    CHECK(t.title == "Do it");
    t.status = "todo";
  });
  CHECK(app.read(app.task(kFirst)).contains("title: Do it\nsprint: 4\nstatus: todo\npriority: high\n"));
}

TEST_CASE("ForeignEdits.BetweenThePagesOfAListAreSeenByTheNextList") {
  TestBoard app;
  add_task(app.store());
  add_task(app.store());
  auto const page = [&](std::string const& cursor) {
    return seen(app.store(), [&](store::Tx& tx) { return tx.list({}, {1, cursor}).value(); });
  };
  auto const first = page("");
  auto const file = app.task("002-do-something.md");
  auto text = app.read(file);
  text.replace(text.find("medium"), 6, "high");
  std::ofstream{file} << text;
  CHECK(page(first.next).tasks.at(0).priority == "medium");
  CHECK(page(page("").next).tasks.at(0).priority == "high");
}

TEST_CASE("ForeignEdits.DuringAUnitMakeItDecideAgain") {
  TestBoard app;
  add_task(app.store());
  int turns = 0;
  keep(app.store(), [&](store::Tx& tx) {
    auto task = *tx.task(1);
    if (turns++ == 0) app.edit(app.task(kFirst), "priority: medium", "priority: critical");
    task.estimate = task.priority;
    task.rev = core::next(task.rev);
    tx.put(task);
  });
  CHECK(turns == 2);
  CHECK(app.seen_task(1).estimate == "critical");
  CHECK(app.read(app.task(kFirst)).contains("priority: critical\n"));
}

TEST_CASE("ForeignFiles.ComeAndGo") {
  TestBoard app;
  add_task(app.store(), a_task().waiting_for(7));
  app.write(app.task("007-new.md"), a_file(7, "New"));
  CHECK(app.seen_task(7).title == "New");
  CHECK(app.seen_task(1).state.open_deps == 1);
  CHECK(add_task(app.store()).id == 8);
  std::filesystem::rename(app.task("007-new.md"), app.task("007-newer.md"));
  CHECK(app.seen_task(7).file == app.task("007-newer.md").native());
  std::filesystem::remove(app.task("007-newer.md"));
  CHECK_FALSE(app.has_task(7));
  CHECK(app.seen_task(1).state.open_deps == 0);
}

TEST_CASE("MalformedFiles.AreToldAndTheOthersGoOn") {
  TestBoard app;
  add_task(app.store());
  app.write(app.task("004-bad.md"), "---\nid: four\ntitle: x\nstatus: todo\n---\n");
  std::filesystem::create_symlink("/etc/passwd", app.task("005-link.md"));
  CHECK(app.seen_task(1).title == "Do something");
  CHECK(app.warned_of("004-bad.md:2:5: expected a number from 1"));
  CHECK(app.warned_of("005-link.md"));
  CHECK_THROWS_AS(app.has_task(4), store::StoreError);
  CHECK(add_task(app.store()).id == 6);
  app.write(app.task("004-bad.md"), a_file(4, "Mended"));
  CHECK(app.seen_task(4).title == "Mended");
}

TEST_CASE("MalformedFiles.KeepTheirTaskFromBeingChanged") {
  TestBoard app;
  add_task(app.store());
  app.edit(app.task(kFirst), "id: 1\n",
           "id: 1\n<<<<<<< HEAD\nsprint: 1\n=======\nsprint: 2\n>>>>>>> other\n");
  CHECK_THROWS_AS(app.has_task(1), store::StoreError);
  CHECK(app.warned_of("001-do-something.md:3:1: git's marks of a conflict"));
  app.edit(app.task(kFirst), "<<<<<<< HEAD\nsprint: 1\n=======\nsprint: 2\n>>>>>>> other\n", "");
  CHECK(app.seen_task(1).title == "Do something");
}

TEST_CASE("Repair.GivesNumbersOnce") {
  TestBoard app;
  add_task(app.store());
  app.write(app.task("001-twin.md"), a_file(1, "Twin"));
  app.write(app.task("wrong-name.md"), a_file(9, "Named wrongly"));
  CHECK(app.seen_task(1).title == "Do something");
  CHECK(app.seen_task(9).file == app.task("009-named-wrongly.md").native());
  CHECK(app.seen_task(10).title == "Twin");
  CHECK(app.read(app.task("010-twin.md")).contains("id: 10\n"));
  CHECK(app.read(app.path("config.yml")).contains("next_id: 11\n"));
  CHECK(app.warned_of("auto-repaired: 001-twin.md is now 010-twin.md"));
  CHECK(app.warned_of("auto-repaired: next_id"));
}

TEST_CASE("Index.IsMadeAnewWithoutLoss") {
  TestBoard app;
  auto const far = core::Instant{core::Duration{4'000'000'000'000}};
  add_task(app.store(), a_task().ready().tagged("qa").with_body("Brief"));
  add_task(app.store(), a_task().in("doing").waiting_for(1).claimed_by("bob", far).for_role("coder"));
  change_task(app.store(), 2, [](core::Task& t) { t.epoch = 9; });
  auto const first = app.seen_task(1), second = app.seen_task(2);
  app.lose_index();
  auto again = app.seen_task(1);
  CHECK(again.rev == first.rev);
  again.epoch = first.epoch;
  again.state.entered = first.state.entered;
  again.approved = first.approved;
  again.source = first.source;
  CHECK(again == first);
  auto const held = app.seen_task(2);
  CHECK(held.claimed_by == "bob");
  CHECK(held.epoch > 9);
  CHECK(held.role == "coder");
  CHECK(held.state.open_deps == second.state.open_deps);
  CHECK(seen(app.store(), [](auto& tx) { return *tx.body(1); }) == "Brief");
}

TEST_CASE("Index.ThatCameFromElsewhereIsNotBelieved") {
  TestBoard theirs;
  add_task(theirs.store());
  keep(theirs.store(), [](store::Tx& tx) {
    auto board = *tx.board("shop");
    board.checks["unit"] = {"sh", "-c", "mischief"};
    tx.put(board);
    tx.put(a_worker("mallory"));
    tx.append(an_event(core::EventKind::task_created, 1));
  });
  theirs.close();
  test::Scratch copy;
  std::filesystem::copy(
      theirs.path(""), copy.path(),
      std::filesystem::copy_options::recursive | std::filesystem::copy_options::copy_symlinks);
  auto const store = store::open_store("markdown:" + copy.path().native());
  CHECK(seen(*store, [](auto& tx) { return tx.task(1)->title; }) == "Do something");
  CHECK(seen(*store, [](auto& tx) { return tx.board("shop")->checks.empty(); }));
  CHECK(seen(*store, [](auto& tx) { return tx.workers().empty(); }));
  CHECK(seen(*store, [](auto& tx) { return tx.last_seq(); }) == 0);
}

TEST_CASE("Index.LaidBesideAnotherIsNotBelieved") {
  TestBoard theirs, app;
  keep(theirs.store(), [](store::Tx& tx) { tx.put(a_worker("mallory")); });
  keep(app.store(), [](store::Tx& tx) { tx.put(a_worker("bob")); });
  auto const planted = theirs.read(theirs.path(".andon/index.db"));
  theirs.close();
  app.close();
  app.write(app.path(".andon/index.db"), planted);
  app.write(app.path(".andon/index.db-wal"), planted);
  app.open();
  CHECK(seen(app.store(), [](auto& tx) { return tx.workers().size(); }) == 1);
  CHECK(seen(app.store(), [](auto& tx) { return tx.worker("bob") != nullptr; }));
  keep(app.store(), [](store::Tx& tx) { tx.put(a_worker("eve")); });
  CHECK(std::filesystem::is_symlink(app.path(".andon/index.db")));
  CHECK_FALSE(std::filesystem::exists(app.path(".andon/index.db-wal")));
}

TEST_CASE("Settings.ChangedByHandChangeTheBoard") {
  TestBoard app;
  add_task(app.store(), a_task().in("check"));
  app.edit(app.path("config.yml"), "    - name: check\n      stage: review\n",
           "    - name: check # now done\n      stage: done\n");
  CHECK(app.seen_task(1).stage == core::Stage::done);
  keep(app.store(), [](auto& tx) {
    auto board = *tx.board("shop");
    board.columns[1].wip_limit = 4;
    tx.put(board);
  });
  CHECK(app.read(app.path("config.yml")).contains("# now done"));
  CHECK(app.read(app.path("config.yml")).contains("wip_limits:\n    todo: 4\n"));
  app.edit(app.path("config.yml"), "status: backlog", "status: nowhere");
  CHECK_THROWS_WITH_AS(app.has_task(1), "invalid config: invalid default status \"nowhere\"",
                       store::StoreError);
}

TEST_CASE("Activity.IsKeptAsKanbanMdKeepsIt") {
  TestBoard app;
  keep(app.store(), [](store::Tx& tx) {
    auto const task = tx.add(a_task());
    auto event = an_event(core::EventKind::task_created, task.id);
    event.to = task.status;
    tx.append(event);
  });
  keep(app.store(), [](store::Tx& tx) {
    auto task = *tx.task(1);
    task.status = "todo";
    tx.put(task);
    auto event = an_event(core::EventKind::task_moved, 1);
    event.from = "backlog";
    event.to = "todo";
    tx.append(event);
  });
  CHECK(app.read(app.path("activity.jsonl")) ==
        "{\"timestamp\":\"2027-01-15T08:01:00Z\",\"action\":\"create\",\"task_id\":1,\"detail\":\"Do "
        "something\"}\n"
        "{\"timestamp\":\"2027-01-15T08:01:00Z\",\"action\":\"move\",\"task_id\":1,\"detail\":\"backlog -> "
        "todo\"}\n");
}

TEST_CASE("Processes.LeaveAShortLogToTheNext") {
  constexpr std::uintmax_t kLongest = 1 << 20;
  TestBoard app;
  auto const log = std::filesystem::canonical(app.path(".andon/index.db")).native() + "-wal";
  bool was_left = false, was_taken_away = false;
  for (int id = 1; id <= 40; ++id) {
    add_task(app.store());
    app.close();
    bool const is_there = std::filesystem::exists(log);
    was_left = was_left || is_there;
    was_taken_away = was_taken_away || (was_left && !is_there);
    CHECK((!is_there || std::filesystem::file_size(log) < kLongest));
    app.open();
    CHECK(app.has_task(core::TaskId{id}));
  }
  CHECK(was_left);
  CHECK(was_taken_away);
}

TEST_CASE("Processes.ShareABoard") {
  TestBoard app;
  auto other = store::open_store("markdown:" + app.path("").native());
  add_task(app.store());
  CHECK(seen(*other, [](auto& tx) { return tx.task(1)->title; }) == "Do something");
  CHECK(add_task(*other).id == 2);
  CHECK(add_task(app.store()).id == 3);
  CHECK(seen(*other, [](auto& tx) { return tx.count({}); }) == 3);
}

TEST_CASE("Files.AddedWhileAUnitRunsAreSeenByTheNext") {
  TestBoard app;
  auto const id = add_task(app.store()).id;
  for (int added = 10; added < 15; ++added) {
    auto const name = "0" + std::to_string(added) + "-added.md";
    keep(app.store(), [&](store::Tx& tx) {
      auto task = *tx.task(id);
      task.rev = core::next(task.rev), task.priority = added % 2 == 0 ? "high" : "low";
      tx.put(task);
      app.write(app.task(name), a_file(added, "Added"));
    });
    CHECK(app.has_task(core::TaskId{added}));
    std::filesystem::remove(app.task(name));
    CHECK_FALSE(app.has_task(core::TaskId{added}));
  }
}

TEST_CASE("Files.TakeTheTimeOfTheirDirectoryBackSoThatLaterChangesShow") {
  TestBoard app;
  auto const id = add_task(app.store()).id;
  change_task(app.store(), id, [](core::Task& t) { t.priority = "high"; });
  auto const after = std::filesystem::last_write_time(app.task(""));
  app.write(app.task("020-later.md"), a_file(20, "Later"));
  CHECK(std::filesystem::last_write_time(app.task("")) > after);
  CHECK(app.has_task(20));
}

TEST_CASE("Files.WhoWaitsHearsWhenTheBoardCannotBeLockedAnyMore") {
  TestBoard app;
  add_task(app.store());
  auto const looked = std::make_shared<std::promise<void>>();
  auto const answer = std::make_shared<std::promise<std::exception_ptr>>();
  app.store().submit(
      [looked, is_first = true](store::Tx&) mutable {
        if (std::exchange(is_first, false)) looked->set_value();
        return store::Outcome::retry;
      },
      [answer](std::exception_ptr trouble) { answer->set_value(std::move(trouble)); },
      store::Milliseconds{500});
  looked->get_future().wait();
  std::filesystem::remove(app.path(".lock"));
  std::filesystem::create_directory(app.path(".lock"));
  auto trouble = answer->get_future();
  REQUIRE(trouble.wait_for(std::chrono::seconds{30}) == std::future_status::ready);
  CHECK(trouble.get());
}

namespace {

std::filesystem::path index_of(TestBoard const& app) {
  return std::filesystem::canonical(app.path(".andon/index.db"));
}

std::size_t put_aside_beside(std::filesystem::path const& index) {
  std::size_t count = 0;
  for (auto const& entry : std::filesystem::directory_iterator{index.parent_path()})
    if (entry.path().filename().native().starts_with("index.db.broken")) ++count;
  return count;
}

void damage(std::filesystem::path const& index) {
  for (auto const* log : {"-wal", "-shm"}) std::filesystem::remove(index.native() + log);
  os::write_file(index, "no database, but long enough to be taken for one that was damaged");
}

}  // namespace

TEST_CASE("Indexes.OfANewerVersionAreRefusedAndKept") {
  TestBoard app;
  add_task(app.store());
  app.close();
  auto const index = index_of(app);
  store::sqlite::Connection{index.native(), store::sqlite::Mode::owner}.execute(
      "INSERT INTO schema_migration VALUES (9999, '9999_future.sql', 'x', 0)");
  app.open();
  auto const is_refused = [](auto const& act) {
    try {
      act();
    } catch (store::StoreError const& error) {
      return error.kind() == store::StoreError::Kind::newer_schema &&
             std::string_view{error.what()}.contains("written by a newer Andon");
    }
    return false;
  };
  CHECK(is_refused([&] { app.seen_task(1); }));
  CHECK(is_refused([&] { add_task(app.store()); }));
  CHECK(put_aside_beside(index) == 0);
}

TEST_CASE("Indexes.ThatAreDamagedArePutAsideBesideEarlierOnes") {
  TestBoard app;
  add_task(app.store());
  auto const index = index_of(app);
  for (std::size_t n = 1; n <= 2; ++n) {
    app.close();
    damage(index);
    app.open();
    add_task(app.store());
    CHECK(put_aside_beside(index) == n);
  }
  CHECK(app.has_task(3));
}
