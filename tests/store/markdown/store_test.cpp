#include <future>
#include <sys/stat.h>

#include "os/files/file.hpp"
#include "store/markdown/board_house.hpp"
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
    BoardHouse house;
    house.close();
    house.edit(house.path("config.yml"), "tasks_dir: tasks", "tasks_dir: " + std::string{name});
    house.open();
    add_task(house.store(), a_task("First"));
    house.close();
    house.open();
    auto const task = house.seen_task(1);
    CHECK(task.title == "First");
    CHECK(std::filesystem::path{task.file} == std::filesystem::path{task.file}.lexically_normal());
    CHECK(std::filesystem::exists(task.file));
  }
}

TEST_CASE("Settings.AreWrittenOnceAsTheBoardIsAtLast") {
  BoardHouse house;
  auto const config = house.path("config.yml");
  auto const names = [&] {
    auto const text = house.read(config);
    return text.substr(0, text.find("\npriorities:"));
  };
  house.edit(config, "    - name: todo\n", "    - name: todo # next\n      colour: red\n");
  auto const before = names();
  keep(house.store(), [](store::Tx& tx) {
    auto board = *tx.boards().front();
    auto both = board;
    both.columns.emplace(both.columns.begin() + 1)->name = "ready";
    ++both.rev;
    tx.put(both);
    tx.add(a_task());
    board.columns[1].name = "ready";
    board.rev = both.rev + 1;
    tx.put(board);
  });
  auto expected = before;
  expected.replace(expected.find("name: todo #"), 12, "name: ready #");
  CHECK(names() == expected);
  CHECK(house.read(config).contains("\nnext_id: 2\n"));
}

TEST_CASE("Files.LogBehindALineThatWasCutOff") {
  BoardHouse house;
  auto const log = house.path("activity.jsonl");
  house.write(log, "{\"timestamp\":\"2026-");
  keep(house.store(),
       [](store::Tx& tx) { tx.append(an_event(core::EventKind::task_created, tx.add(a_task("First")).id)); });
  CHECK(house.read(log).starts_with("{\"timestamp\":\"2026-\n{\"timestamp\":"));
}

TEST_CASE("Files.TakeNoNumberBeyondTheHighest") {
  BoardHouse house;
  house.write(house.task("4503599627370496-last.md"),
              "---\nid: 4503599627370496\ntitle: Last\nstatus: todo\n---\n");
  house.write(house.task("9223372036854775807-x.md"), "no task");
  CHECK(house.has_task(4503599627370496));
  CHECK_THROWS_AS(add_task(house.store(), a_task("More")), store::StoreError);
  CHECK(house.seen_task(4503599627370496).title == "Last");
}

TEST_CASE("Files.AreWrittenWithTheUnit") {
  BoardHouse house;
  auto const task = add_task(house.store(), a_task().with_body("Brief"));
  CHECK(task.file == house.task(kFirst).native());
  CHECK(house.read(house.task(kFirst)).contains("title: Do something\nstatus: backlog\n"));
  CHECK(house.read(house.task(kFirst)).ends_with("---\n\nBrief\n"));
  CHECK(house.read(house.path("config.yml")).contains("next_id: 2\n"));
  CHECK(house.read(house.path(".andon/.gitignore")) == "*\n");
  store::write(house.store(), [](store::Tx& tx) {
    tx.add(a_task("Never"));
    return store::Verdict::discard;
  });
  CHECK_FALSE(std::filesystem::exists(house.task("002-never.md")));
}

TEST_CASE("Files.AnIntentOfSomebodyElseMovesNothingOutOfTheBoard") {
  BoardHouse house;
  add_task(house.store());
  os::write_file(house.path(".andon/new/task-0"), "mischief");
  os::write_file(house.path(".andon/intent"), R"([{"from":"task-0","to":"../escaped.md","old":""},
      {"from":"../../config.yml","to":"003-taken.md","old":""},{"from":"task-0","to":"002-x.md","old":"../config.md"}])");
  change_task(house.store(), 1, [](core::Task& t) { t.priority = "high"; });
  CHECK_FALSE(std::filesystem::exists(house.path("escaped.md")));
  CHECK_FALSE(std::filesystem::exists(house.task("002-x.md")));
  CHECK_FALSE(std::filesystem::exists(house.task("003-taken.md")));
  CHECK(std::filesystem::exists(house.path("config.yml")));
  CHECK(std::filesystem::is_empty(house.path(".andon/intent")));
}

TEST_CASE("Files.AreNotKeptBehindALink") {
  test::Scratch elsewhere, board;
  std::filesystem::create_symlink(elsewhere.path(), board / ".andon");
  CHECK_THROWS_AS(store::open_store("markdown:" + board.path().native()), store::StoreError);
  CHECK(std::filesystem::is_empty(elsewhere.path()));
}

TEST_CASE("Files.HaveOneLineEndBehindTheBodyAndTheIndexSaysWhatTheyHave") {
  BoardHouse house;
  auto const body = [&] {
    return seen(house.store(), [](store::Tx& tx) { return tx.body(1).value_or(""); });
  };
  add_task(house.store(), a_task().with_body("\n \nBrief\r\nmore\n"));
  CHECK(house.read(house.task(kFirst)).ends_with("---\n\nBrief\nmore\n"));
  CHECK(body() == "Brief\nmore");
  for (auto const* given : {"Brief\nmore\n", "Other\n"}) {
    keep(house.store(), [&](store::Tx& tx) {
      auto task = *tx.task(1);
      task.body = given;
      tx.put(task, true);
    });
    CHECK(house.read(house.task(kFirst)).ends_with("---\n\n" + std::string{given}));
    CHECK(body() + "\n" == given);
  }
  auto const before = body();
  house.lose_index();
  CHECK(body() == before);
}

TEST_CASE("Files.ChangeInTheLinesThatChanged") {
  BoardHouse house;
  add_task(house.store());
  auto expected = house.read(house.task(kFirst));
  change_task(house.store(), 1, [](core::Task& t) {
    t.priority = "high";
    t.updated = at_minute(9);
  });
  auto const change = [&](std::string_view from, std::string_view to) {
    expected.replace(expected.find(from), from.size(), to);
  };
  change("priority: medium", "priority: high");
  change("updated: 2027-01-15T08:00:00Z", "updated: 2027-01-15T08:09:00Z");
  CHECK(house.read(house.task(kFirst)) == expected);
}

TEST_CASE("Files.FollowTheTitle") {
  BoardHouse house;
  add_task(house.store());
  auto const task = change_task(house.store(), 1, [](core::Task& t) { t.title = "Fix the Cart"; });
  CHECK(task.file == house.task("001-fix-the-cart.md").native());
  CHECK(std::filesystem::exists(house.task("001-fix-the-cart.md")));
  CHECK_FALSE(std::filesystem::exists(house.task(kFirst)));
}

TEST_CASE("Files.OfHeldTasksAreReadOnly") {
  BoardHouse house;
  auto const far = core::Instant{core::Duration{4'000'000'000'000}};
  add_task(house.store(), a_task().claimed_by("bob", far));
  CHECK(mode_of(house.task(kFirst)) == 0444);
  change_task(house.store(), 1, [](core::Task& t) {
    t.claimed_by.clear();
    t.claimed_at.reset();
    t.claim_expires.reset();
    ++t.epoch;
  });
  CHECK(mode_of(house.task(kFirst)) == 0600);
  ::chmod(house.task(kFirst).c_str(), 0444);
  house.seen_task(1);
  CHECK(mode_of(house.task(kFirst)) == 0600);
}

TEST_CASE("ForeignEdits.AreSeenByReadersAndWriters") {
  BoardHouse house;
  add_task(house.store());
  house.edit(house.task(kFirst), "priority: medium", "priority: high");
  CHECK(house.seen_task(1).priority == "high");
  house.edit(house.task(kFirst), "title: Do something", "title: Do it\nsprint: 4");
  change_task(house.store(), 1, [](core::Task& t) {
    CHECK(t.title == "Do it");
    t.status = "todo";
  });
  CHECK(house.read(house.task(kFirst)).contains("title: Do it\nsprint: 4\nstatus: todo\npriority: high\n"));
}

TEST_CASE("ForeignEdits.BetweenThePagesOfAListAreSeenByTheNextList") {
  BoardHouse house;
  add_task(house.store());
  add_task(house.store());
  auto const page = [&](std::string const& cursor) {
    return seen(house.store(), [&](store::Tx& tx) { return tx.list({}, {1, cursor}).value(); });
  };
  auto const first = page("");
  auto const file = house.task("002-do-something.md");
  auto text = house.read(file);
  text.replace(text.find("medium"), 6, "high");
  std::ofstream{file} << text;
  CHECK(page(first.next).tasks.at(0).priority == "medium");
  CHECK(page(page("").next).tasks.at(0).priority == "high");
}

TEST_CASE("ForeignEdits.DuringAUnitMakeItDecideAgain") {
  BoardHouse house;
  add_task(house.store());
  int turns = 0;
  keep(house.store(), [&](store::Tx& tx) {
    auto task = *tx.task(1);
    if (turns++ == 0) house.edit(house.task(kFirst), "priority: medium", "priority: critical");
    task.estimate = task.priority;
    ++task.rev;
    tx.put(task);
  });
  CHECK(turns == 2);
  CHECK(house.seen_task(1).estimate == "critical");
  CHECK(house.read(house.task(kFirst)).contains("priority: critical\n"));
}

TEST_CASE("ForeignFiles.ComeAndGo") {
  BoardHouse house;
  add_task(house.store(), a_task().waiting_for(7));
  house.write(house.task("007-new.md"), a_file(7, "New"));
  CHECK(house.seen_task(7).title == "New");
  CHECK(house.seen_task(1).state.open_deps == 1);
  CHECK(add_task(house.store()).id == 8);
  std::filesystem::rename(house.task("007-new.md"), house.task("007-newer.md"));
  CHECK(house.seen_task(7).file == house.task("007-newer.md").native());
  std::filesystem::remove(house.task("007-newer.md"));
  CHECK_FALSE(house.has_task(7));
  CHECK(house.seen_task(1).state.open_deps == 0);
}

TEST_CASE("MalformedFiles.AreToldAndTheOthersGoOn") {
  BoardHouse house;
  add_task(house.store());
  house.write(house.task("004-bad.md"), "---\nid: four\ntitle: x\nstatus: todo\n---\n");
  std::filesystem::create_symlink("/etc/passwd", house.task("005-link.md"));
  CHECK(house.seen_task(1).title == "Do something");
  CHECK(house.warned_of("004-bad.md:2:5: expected a number from 1"));
  CHECK(house.warned_of("005-link.md"));
  CHECK_THROWS_AS(house.has_task(4), store::StoreError);
  CHECK(add_task(house.store()).id == 6);
  house.write(house.task("004-bad.md"), a_file(4, "Mended"));
  CHECK(house.seen_task(4).title == "Mended");
}

TEST_CASE("MalformedFiles.KeepTheirTaskFromBeingChanged") {
  BoardHouse house;
  add_task(house.store());
  house.edit(house.task(kFirst), "id: 1\n",
             "id: 1\n<<<<<<< HEAD\nsprint: 1\n=======\nsprint: 2\n>>>>>>> other\n");
  CHECK_THROWS_AS(house.has_task(1), store::StoreError);
  CHECK(house.warned_of("001-do-something.md:3:1: git's marks of a conflict"));
  house.edit(house.task(kFirst), "<<<<<<< HEAD\nsprint: 1\n=======\nsprint: 2\n>>>>>>> other\n", "");
  CHECK(house.seen_task(1).title == "Do something");
}

TEST_CASE("Repair.GivesNumbersOnce") {
  BoardHouse house;
  add_task(house.store());
  house.write(house.task("001-twin.md"), a_file(1, "Twin"));
  house.write(house.task("wrong-name.md"), a_file(9, "Named wrongly"));
  CHECK(house.seen_task(1).title == "Do something");
  CHECK(house.seen_task(9).file == house.task("009-named-wrongly.md").native());
  CHECK(house.seen_task(10).title == "Twin");
  CHECK(house.read(house.task("010-twin.md")).contains("id: 10\n"));
  CHECK(house.read(house.path("config.yml")).contains("next_id: 11\n"));
  CHECK(house.warned_of("auto-repaired: 001-twin.md is now 010-twin.md"));
  CHECK(house.warned_of("auto-repaired: next_id"));
}

TEST_CASE("Index.IsMadeAnewWithoutLoss") {
  BoardHouse house;
  auto const far = core::Instant{core::Duration{4'000'000'000'000}};
  add_task(house.store(), a_task().ready().tagged("qa").with_body("Brief"));
  add_task(house.store(), a_task().in("doing").waiting_for(1).claimed_by("bob", far).for_role("coder"));
  change_task(house.store(), 2, [](core::Task& t) { t.epoch = 9; });
  auto const first = house.seen_task(1), second = house.seen_task(2);
  house.lose_index();
  auto again = house.seen_task(1);
  CHECK(again.rev == first.rev);
  again.epoch = first.epoch;
  again.state.entered = first.state.entered;
  again.approved = first.approved;
  again.source = first.source;
  CHECK(again == first);
  auto const held = house.seen_task(2);
  CHECK(held.claimed_by == "bob");
  CHECK(held.epoch > 9);
  CHECK(held.role == "coder");
  CHECK(held.state.open_deps == second.state.open_deps);
  CHECK(seen(house.store(), [](auto& tx) { return *tx.body(1); }) == "Brief");
}

TEST_CASE("Index.ThatCameFromElsewhereIsNotBelieved") {
  BoardHouse theirs;
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
  BoardHouse theirs, house;
  keep(theirs.store(), [](store::Tx& tx) { tx.put(a_worker("mallory")); });
  keep(house.store(), [](store::Tx& tx) { tx.put(a_worker("bob")); });
  auto const planted = theirs.read(theirs.path(".andon/index.db"));
  theirs.close();
  house.close();
  house.write(house.path(".andon/index.db"), planted);
  house.write(house.path(".andon/index.db-wal"), planted);
  house.open();
  CHECK(seen(house.store(), [](auto& tx) { return tx.workers().size(); }) == 1);
  CHECK(seen(house.store(), [](auto& tx) { return tx.worker("bob") != nullptr; }));
  keep(house.store(), [](store::Tx& tx) { tx.put(a_worker("eve")); });
  CHECK(std::filesystem::is_symlink(house.path(".andon/index.db")));
  CHECK_FALSE(std::filesystem::exists(house.path(".andon/index.db-wal")));
}

TEST_CASE("Settings.ChangedByHandChangeTheBoard") {
  BoardHouse house;
  add_task(house.store(), a_task().in("check"));
  house.edit(house.path("config.yml"), "    - name: check\n      stage: review\n",
             "    - name: check # now done\n      stage: done\n");
  CHECK(house.seen_task(1).stage == core::Stage::done);
  keep(house.store(), [](auto& tx) {
    auto board = *tx.board("shop");
    board.columns[1].wip_limit = 4;
    tx.put(board);
  });
  CHECK(house.read(house.path("config.yml")).contains("# now done"));
  CHECK(house.read(house.path("config.yml")).contains("wip_limits:\n    todo: 4\n"));
  house.edit(house.path("config.yml"), "status: backlog", "status: nowhere");
  CHECK_THROWS_WITH_AS(house.has_task(1), "invalid config: invalid default status \"nowhere\"",
                       store::StoreError);
}

TEST_CASE("Activity.IsKeptAsKanbanMdKeepsIt") {
  BoardHouse house;
  keep(house.store(), [](store::Tx& tx) {
    auto const task = tx.add(a_task());
    auto event = an_event(core::EventKind::task_created, task.id);
    event.to = task.status;
    tx.append(event);
  });
  keep(house.store(), [](store::Tx& tx) {
    auto task = *tx.task(1);
    task.status = "todo";
    tx.put(task);
    auto event = an_event(core::EventKind::task_moved, 1);
    event.from = "backlog";
    event.to = "todo";
    tx.append(event);
  });
  CHECK(house.read(house.path("activity.jsonl")) ==
        "{\"timestamp\":\"2027-01-15T08:01:00Z\",\"action\":\"create\",\"task_id\":1,\"detail\":\"Do "
        "something\"}\n"
        "{\"timestamp\":\"2027-01-15T08:01:00Z\",\"action\":\"move\",\"task_id\":1,\"detail\":\"backlog -> "
        "todo\"}\n");
}

TEST_CASE("Processes.LeaveAShortLogToTheNext") {
  constexpr std::uintmax_t kLongest = 1 << 20;
  BoardHouse house;
  auto const log = std::filesystem::canonical(house.path(".andon/index.db")).native() + "-wal";
  bool was_left = false, was_taken_away = false;
  for (int id = 1; id <= 40; ++id) {
    add_task(house.store());
    house.close();
    bool const is_there = std::filesystem::exists(log);
    was_left = was_left || is_there;
    was_taken_away = was_taken_away || (was_left && !is_there);
    CHECK((!is_there || std::filesystem::file_size(log) < kLongest));
    house.open();
    CHECK(house.has_task(id));
  }
  CHECK(was_left);
  CHECK(was_taken_away);
}

TEST_CASE("Processes.ShareABoard") {
  BoardHouse house;
  auto other = store::open_store("markdown:" + house.path("").native());
  add_task(house.store());
  CHECK(seen(*other, [](auto& tx) { return tx.task(1)->title; }) == "Do something");
  CHECK(add_task(*other).id == 2);
  CHECK(add_task(house.store()).id == 3);
  CHECK(seen(*other, [](auto& tx) { return tx.count({}); }) == 3);
}

TEST_CASE("Files.AddedWhileAUnitRunsAreSeenByTheNext") {
  BoardHouse house;
  auto const id = add_task(house.store()).id;
  for (int added = 10; added < 15; ++added) {
    auto const name = "0" + std::to_string(added) + "-added.md";
    keep(house.store(), [&](store::Tx& tx) {
      auto task = *tx.task(id);
      ++task.rev, task.priority = added % 2 == 0 ? "high" : "low";
      tx.put(task);
      house.write(house.task(name), a_file(added, "Added"));
    });
    CHECK(house.has_task(added));
    std::filesystem::remove(house.task(name));
    CHECK_FALSE(house.has_task(added));
  }
}

TEST_CASE("Files.TakeTheTimeOfTheirDirectoryBackSoThatLaterChangesShow") {
  BoardHouse house;
  auto const id = add_task(house.store()).id;
  change_task(house.store(), id, [](core::Task& t) { t.priority = "high"; });
  auto const after = std::filesystem::last_write_time(house.task(""));
  house.write(house.task("020-later.md"), a_file(20, "Later"));
  CHECK(std::filesystem::last_write_time(house.task("")) > after);
  CHECK(house.has_task(20));
}

TEST_CASE("Files.WhoWaitsHearsWhenTheBoardCannotBeLockedAnyMore") {
  BoardHouse house;
  add_task(house.store());
  auto const looked = std::make_shared<std::promise<void>>();
  auto const answer = std::make_shared<std::promise<std::exception_ptr>>();
  house.store().submit(
      [looked, is_first = true](store::Tx&) mutable {
        if (std::exchange(is_first, false)) looked->set_value();
        return store::Verdict::again;
      },
      [answer](std::exception_ptr trouble) { answer->set_value(std::move(trouble)); },
      store::Milliseconds{500});
  looked->get_future().wait();
  std::filesystem::remove(house.path(".lock"));
  std::filesystem::create_directory(house.path(".lock"));
  auto trouble = answer->get_future();
  REQUIRE(trouble.wait_for(std::chrono::seconds{30}) == std::future_status::ready);
  CHECK(trouble.get());
}

namespace {

std::filesystem::path index_of(BoardHouse const& house) {
  return std::filesystem::canonical(house.path(".andon/index.db"));
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
  BoardHouse house;
  add_task(house.store());
  house.close();
  auto const index = index_of(house);
  store::sqlite::Connection{index.native(), store::sqlite::Mode::owner}.execute(
      "INSERT INTO schema_migration VALUES (9999, '9999_future.sql', 'x', 0)");
  house.open();
  auto const is_refused = [](auto const& act) {
    try {
      act();
    } catch (store::StoreError const& error) {
      return error.kind() == store::StoreError::Kind::newer_schema &&
             std::string_view{error.what()}.contains("written by a newer Andon");
    }
    return false;
  };
  CHECK(is_refused([&] { house.seen_task(1); }));
  CHECK(is_refused([&] { add_task(house.store()); }));
  CHECK(put_aside_beside(index) == 0);
}

TEST_CASE("Indexes.ThatAreDamagedArePutAsideBesideEarlierOnes") {
  BoardHouse house;
  add_task(house.store());
  auto const index = index_of(house);
  for (std::size_t n = 1; n <= 2; ++n) {
    house.close();
    damage(index);
    house.open();
    add_task(house.store());
    CHECK(put_aside_beside(index) == n);
  }
  CHECK(house.has_task(3));
}
