#include <algorithm>
#include <fcntl.h>
#include <sys/stat.h>

#include <doctest/doctest.h>

#include "core/tasks/pick.hpp"
#include "os/files/descriptor.hpp"
#include "store/engine/unit/unit.hpp"
#include "store/markdown/attached_test_board.hpp"

using namespace andon;
using namespace andon::test;
using core::EventKind;
using store::StoreError;

namespace {

core::Task titled(std::string const& title, std::string const& status = "backlog") {
  core::Task task = a_task(title);
  task.status = status;
  return task;
}

bool told(std::vector<core::Event> const& events, EventKind kind, core::TaskId task) {
  return std::ranges::any_of(events, [&](auto const& e) { return e.kind == kind && e.task == task; });
}

}  // namespace

TEST_CASE("Attached.BoardHasTheTasksOfTheDirectoryUnderNumbersOfTheStore") {
  AttachedTestBoard app;
  add_board(app.store(), a_board("own"));
  auto own = titled("Own");
  own.board = "own";
  add_task(app.store(), own);
  auto const first = add_task(app.beside(), titled("First"));
  auto second = titled("Second");
  second.depends_on = {first.id};
  second.parent = first.id;
  add_task(app.beside(), second);

  auto const board = app.attach();
  CHECK(app.board(board).name == "shop");
  CHECK(app.board(board).prefix == "SHOP");
  auto const seen_first = app.keyed("shop-1");
  auto const seen_second = app.keyed("SHOP-2");
  CHECK(seen_first.id == 2);
  CHECK(seen_second.id == 3);
  CHECK(seen_second.title == "Second");
  CHECK(seen_second.depends_on == std::vector<core::TaskId>{seen_first.id});
  CHECK(seen_second.parent == seen_first.id);
  CHECK(seen_second.state.open_deps == 1);
  CHECK(seen_second.source == "file");
  CHECK(seen_second.file == app.task("002-second.md"));
}

TEST_CASE("Attached.ChangesAreInTheFilesWhenTheUnitIsKept") {
  AttachedTestBoard app;
  add_task(app.beside(), titled("First"));
  app.attach();
  auto const id = app.keyed("SHOP-1").id;
  change_task(app.store(), id, [](core::Task& task) { task.priority = "high"; });
  CHECK(app.read(app.task("001-first.md")).contains("priority: high"));
  auto third = titled("Made by the server");
  third.depends_on = {id};
  auto const made = add_task(app.store(), third);
  CHECK(made.key == "SHOP-2");
  auto const text = app.read(app.task("002-made-by-the-server.md"));
  CHECK(text.contains("id: 2\n"));
  CHECK(text.contains("depends_on:\n    - 1\n"));
  auto const beside = seen(app.beside(), [](store::Tx& tx) { return tx.task(2); });
  REQUIRE(beside);
  CHECK(beside->title == "Made by the server");
  CHECK(app.read(app.files() / "config.yml").contains("next_id: 3"));
}

TEST_CASE("Attached.EditsOfOthersComeWithEvents") {
  AttachedTestBoard app;
  add_task(app.beside(), titled("First"));
  app.attach();
  auto const id = app.keyed("SHOP-1").id;
  app.edit(app.task("001-first.md"), "status: backlog", "status: todo");
  CHECK(app.comes_true([&] { return app.keyed("SHOP-1").status == "todo"; }));
  CHECK(told(app.events(), EventKind::task_moved, id));

  add_task(app.beside(), titled("Second"));
  CHECK(app.comes_true([&] { return app.find("SHOP-2").has_value(); }));
  auto const second = app.keyed("SHOP-2").id;
  CHECK(told(app.events(), EventKind::task_created, second));

  std::filesystem::remove(app.task("002-second.md"));
  CHECK(app.comes_true([&] { return !app.find("SHOP-2").has_value(); }));
  CHECK(told(app.events(), EventKind::task_deleted, second));
}

TEST_CASE("Attached.FileThatComesBackIsTheSameTask") {
  AttachedTestBoard app;
  add_task(app.beside(), titled("First"));
  app.attach();
  auto const id = app.keyed("SHOP-1").id;
  auto const text = app.read(app.task("001-first.md"));
  std::filesystem::remove(app.task("001-first.md"));
  CHECK(app.comes_true([&] { return !app.find("SHOP-1").has_value(); }));
  add_board(app.store(), a_board("own"));
  auto own = titled("Own");
  own.board = "own";
  CHECK(add_task(app.store(), own).id != id);
  app.write(app.task("001-first.md"), text);
  CHECK(app.comes_true([&] { return app.find("SHOP-1").has_value(); }));
  CHECK(app.keyed("SHOP-1").id == id);
}

TEST_CASE("Attached.UnitIsDecidedAgainOnWhatOthersWrote") {
  AttachedTestBoard app;
  add_task(app.beside(), titled("First"));
  app.attach();
  auto const id = app.keyed("SHOP-1").id;
  int decided = 0;
  keep(app.store(), [&](store::Tx& tx) {
    auto task = *tx.task(id);
    if (decided++ == 0) app.edit(app.task("001-first.md"), "title: First", "title: Foreign");
    task.priority = "high";
    task.rev = core::next(task.rev);
    tx.put(task);
  });
  CHECK(decided > 1);
  auto const text = app.read(app.task("001-first.md"));
  CHECK(text.contains("title: Foreign"));
  CHECK(text.contains("priority: high"));
  CHECK(app.keyed("SHOP-1").title == "Foreign");
}

TEST_CASE("Attached.PipeInPlaceOfAFileIsTroubleOfItsBoardOnly") {
  AttachedTestBoard app;
  add_task(app.beside(), titled("First"));
  auto const board = app.attach();
  add_board(app.store(), a_board("own"));
  auto const intent = app.intents_of(board);
  REQUIRE(::mkfifo(intent.c_str(), 0600) == 0);
  app.edit(app.task("001-first.md"), "status: backlog", "status: todo");
  CHECK(app.comes_true([&] { return !app.board(board).trouble.empty(); }));
  auto own = titled("Own");
  own.board = "own";
  auto const start = std::chrono::steady_clock::now();
  add_task(app.store(), own);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds{5});
  CHECK_THROWS_AS(
      change_task(app.store(), app.keyed("SHOP-1").id, [](core::Task& task) { task.priority = "high"; }),
      StoreError);
  std::filesystem::remove(intent);
  CHECK(app.comes_true([&] { return app.board(board).trouble.empty(); }));
  CHECK(app.comes_true([&] { return app.keyed("SHOP-1").status == "todo"; }));
}

TEST_CASE("Attached.NoPassReadsMoreFilesThanAUnitCanTake") {
  constexpr int kFiles = 700;
  AttachedTestBoard app;
  for (int n = 1; n <= kFiles; ++n) {
    auto const number = std::to_string(n);
    app.write(app.task((n < 10    ? "00"
                        : n < 100 ? "0"
                                  : "") +
                       number + "-t.md"),
              "---\nid: " + number + "\ntitle: T\nstatus: todo\npriority: low\ndepends_on: [" +
                  std::to_string(n == kFiles ? 1 : n + 1) + "]\n---\n");
  }
  auto const id = app.attach();
  CHECK(app.comes_true([&] { return app.board(id).trouble.empty(); }));
  CHECK(seen(app.store(), [&](store::Tx& tx) { return tx.load(id).columns.at("todo"); }) == kFiles);
  CHECK(app.keyed("SHOP-1").state.open_deps == 1);
  CHECK(std::ranges::none_of(app.events(), [](auto const& e) { return e.kind == EventKind::task_created; }));
  auto const pass =
      app.store().writer_times().totals().acts.at(static_cast<std::size_t>(store::WriterAct::catch_up));
  CHECK(pass.count > kFiles / 250);
  CHECK(pass.most.rows < kFiles * 5);
}

TEST_CASE("Attached.ThousandsOfEditsAreAllReadBeforeTheBoardIsChanged") {
  constexpr std::size_t kMany = 2'300;
  AttachedTestBoard app;
  auto const write_all = [&](std::string const& status) {
    for (std::size_t n = 1; n <= kMany; ++n) {
      auto const number = std::to_string(n);
      auto const fresh = app.files() / "fresh";
      app.write(fresh, "---\nid: " + number + "\ntitle: T\nstatus: " + status + "\npriority: low\n---\n");
      std::filesystem::rename(fresh, app.task((n < 10 ? "00" : n < 100 ? "0" : "") + number + "-t.md"));
    }
  };
  auto const are_all = [&](std::string const& status) {
    return seen(app.store(), [&](store::Tx& tx) {
      store::TaskFilter filter;
      filter.statuses = {status};
      store::Page page;
      page.limit = kMany;
      return tx.list(filter, page)->tasks.size() == kMany;
    });
  };
  write_all("backlog");
  auto const board = app.attach();
  CHECK(app.comes_true([&] { return app.board(board).trouble.empty(); }));
  auto const id = app.keyed("SHOP-1").id;
  write_all("todo");
  // While they are read units that change the board are refused.
  CHECK(app.comes_true([&] {
    try {
      change_task(app.store(), id, [](core::Task& task) { task.priority = "high"; });
      return true;
    } catch (StoreError const& error) {
      REQUIRE(error.kind() == StoreError::Kind::unreachable);
      return false;
    }
  }));
  CHECK(are_all("todo"));
  CHECK(app.read(app.task("001-t.md")).contains("status: todo\npriority: high\n"));
  write_all("backlog");
  CHECK(app.comes_true([&] { return are_all("backlog"); }));
}

TEST_CASE("Attached.WhatFilesSayIsNotApprovedUntilTheyAreTrusted") {
  AttachedTestBoard app;
  add_task(app.beside(), titled("First", "todo"));
  auto const board = app.attach();
  auto const id = app.keyed("SHOP-1").id;
  CHECK_FALSE(app.keyed("SHOP-1").approved);
  change_task(app.store(), id, [](core::Task& task) { task.approved = true; });
  change_task(app.beside(), 1, [](core::Task& task) { task.priority = "high"; });
  CHECK(app.comes_true([&] { return app.keyed("SHOP-1").priority == "high"; }));
  CHECK(app.keyed("SHOP-1").approved);
  app.edit(app.task("001-first.md"), "title: First", "title: Do evil");
  CHECK(app.comes_true([&] { return app.keyed("SHOP-1").title == "Do evil"; }));
  CHECK_FALSE(app.keyed("SHOP-1").approved);

  keep(app.store(), [&](store::Tx& tx) {
    auto now = *tx.board(board);
    now.approval = core::Approval::trusted;
    now.trusted = {"file"};
    tx.put(now);
  });
  app.edit(app.task("001-first.md"), "title: Do evil", "title: Do good");
  CHECK(app.comes_true([&] { return app.keyed("SHOP-1").title == "Do good"; }));
  CHECK(app.keyed("SHOP-1").approved);
  CHECK_FALSE(app.read(app.files() / "config.yml").contains("trusted"));
}

TEST_CASE("Attached.WhatNoPersonHasReadCostsThePickOfAWorkerNothing") {
  AttachedTestBoard app;
  for (auto const* title : {"First", "Second", "Third"}) add_task(app.beside(), titled(title, "todo"));
  auto const board = app.attach();
  auto const id = app.keyed("SHOP-2").id;
  auto const offered = [&](core::Picker const& picker) {
    return seen(app.store(), [&](store::Tx& tx) {
      std::vector<std::string> out;
      tx.candidates({board, {"todo"}, core::queue_keys(*tx.board(board), picker), ""}, at_minute(0),
                    [&](core::Task const& task) {
                      out.push_back(task.key);
                      return false;
                    });
      return out;
    });
  };
  using Keys = std::vector<std::string>;
  core::Picker const dev{"dev", "", true, true}, ann{"ann", "", false, true, true};
  CHECK(offered(dev).empty());
  CHECK(offered(ann) == Keys{"SHOP-1", "SHOP-2", "SHOP-3"});
  CHECK(seen(app.store(), [&](store::Tx& tx) {
          return tx.held_back({board, {"todo"}, {""}, ""}, at_minute(0), 10);
        }) == std::vector<std::pair<std::string, std::int64_t>>{{"approval", 3}});
  change_task(app.store(), id, [](core::Task& task) { task.approved = true; });
  CHECK(offered(dev) == Keys{"SHOP-2"});
  CHECK(offered(ann) == Keys{"SHOP-1", "SHOP-2", "SHOP-3"});
  app.edit(app.task("002-second.md"), "title: Second", "title: Do evil");
  CHECK(app.comes_true([&] { return !app.keyed("SHOP-2").approved; }));
  CHECK(offered(dev).empty());
  keep(app.store(), [&](store::Tx& tx) {
    auto now = *tx.board(board);
    now.approval = core::Approval::trusted;
    now.trusted = {"file"};
    tx.put(now);
  });
  CHECK(offered(dev) == Keys{"SHOP-1", "SHOP-2", "SHOP-3"});
}

TEST_CASE("Attached.ColumnsAreThoseOfTheSettingsBothWays") {
  AttachedTestBoard app;
  auto const board = app.attach();
  app.edit(app.files() / "config.yml", "priorities:\n    - low\n", "priorities:\n    - lowest\n    - low\n");
  CHECK(app.comes_true([&] { return app.board(board).priorities.front() == "lowest"; }));
  keep(app.store(), [&](store::Tx& tx) {
    auto now = *tx.board(board);
    now.columns[1].wip_limit = 7;
    tx.put(now);
  });
  CHECK(app.read(app.files() / "config.yml").contains("todo: 7"));
  CHECK(seen(app.beside(), [](store::Tx& tx) { return tx.boards().front()->columns[1].wip_limit; }) == 7);
}

TEST_CASE("Attached.DirectoryThatIsGoneIsTroubleOfItsBoardOnly") {
  AttachedTestBoard app;
  add_task(app.beside(), titled("First"));
  auto const board = app.attach();
  add_board(app.store(), a_board("own"));
  auto const id = app.keyed("SHOP-1").id;
  app.beside().close();
  std::filesystem::rename(app.files(), app.files().native() + "-away");
  auto const write = [&] { change_task(app.store(), id, [](core::Task& task) { task.priority = "high"; }); };
  CHECK_THROWS_AS(write(), StoreError);
  CHECK(app.comes_true([&] { return !app.board(board).trouble.empty(); }));
  CHECK(app.keyed("SHOP-1").title == "First");
  auto own = titled("Own");
  own.board = "own";
  CHECK(add_task(app.store(), own).id > 0);

  std::filesystem::rename(app.files().native() + "-away", app.files());
  CHECK(app.comes_true([&] { return app.board(board).trouble.empty(); }));
  write();
  CHECK(app.read(app.task("001-first.md")).contains("priority: high"));
}

TEST_CASE("Attached.BrokenSettingsAreTroubleAndHealByThemselves") {
  AttachedTestBoard app;
  add_task(app.beside(), titled("First"));
  auto const board = app.attach();
  auto const good = app.read(app.files() / "config.yml");
  app.write(app.files() / "config.yml", "<<<<<<< HEAD\n" + good);
  CHECK(app.comes_true([&] { return !app.board(board).trouble.empty(); }));
  app.write(app.files() / "config.yml", good);
  CHECK(app.comes_true([&] { return app.board(board).trouble.empty(); }));
}

TEST_CASE("Attached.FileThatCannotBeReadStaysAsItWasAndLeavesTheOthers") {
  AttachedTestBoard app;
  add_task(app.beside(), titled("First"));
  add_task(app.beside(), titled("Second"));
  app.attach();
  auto const first = app.keyed("SHOP-1").id;
  auto const raise = [](core::Task& task) { task.priority = "high"; };
  auto const good = app.read(app.task("001-first.md"));
  auto const torn = "---\n<<<<<<< HEAD\n" + good.substr(4);
  app.write(app.task("001-first.md"), torn);
  std::string refusal;
  try {
    change_task(app.store(), first, raise);
  } catch (StoreError const& error) {
    refusal = error.what();
  }
  CHECK(refusal.contains("001-first.md:2:"));
  CHECK(app.read(app.task("001-first.md")) == torn);
  CHECK(app.keyed("SHOP-1").title == "First");
  change_task(app.store(), app.keyed("SHOP-2").id, raise);
  app.write(app.task("001-first.md"), good);
  change_task(app.store(), first, raise);
  CHECK(app.read(app.task("001-first.md")).contains("priority: high"));
}

TEST_CASE("Attached.WhatChangedWhileTheServerWasAwayIsReadWhenItStarts") {
  AttachedTestBoard app;
  add_task(app.beside(), titled("First"));
  app.attach();
  app.close();
  change_task(app.beside(), 1, [](core::Task& task) { task.priority = "high"; });
  add_task(app.beside(), titled("Second"));
  app.open();
  CHECK(app.keyed("SHOP-1").priority == "high");
  CHECK(app.keyed("SHOP-2").title == "Second");
}

TEST_CASE("Attached.DetachingLeavesTheFilesAndNothingElse") {
  AttachedTestBoard app;
  add_task(app.beside(), titled("First"));
  auto const board = app.attach();
  auto const id = app.keyed("SHOP-1").id;
  keep(app.store(), [&](store::Tx& tx) { tx.remove_board(board); });
  CHECK_FALSE(app.find("SHOP-1").has_value());
  CHECK(seen(app.store(), [](store::Tx& tx) { return tx.boards().empty(); }));
  change_task(app.beside(), 1, [](core::Task& task) { task.priority = "high"; });
  CHECK(app.read(app.task("001-first.md")).contains("priority: high"));
  CHECK(app.attach() > 0);
  CHECK(app.keyed("SHOP-1").id > id);
  CHECK(app.keyed("SHOP-1").priority == "high");
}

TEST_CASE("Attached.WhatCannotBeAttachedIsRefused") {
  AttachedTestBoard app;
  auto const refused = [&](std::string const& directory, std::string const& name = {}) -> std::string {
    try {
      core::Board board;
      board.directory = directory;
      board.name = name;
      add_board(app.store(), board);
    } catch (StoreError const& error) {
      CHECK(error.kind() == StoreError::Kind::refused);
      return error.what();
    }
    return "was attached";
  };
  CHECK(refused("kanban").contains("absolute"));
  CHECK(refused((app.files() / "nowhere").native()).contains("No such file"));
  CHECK(refused((app.files() / "config.yml").native()).contains("no directory"));
  CHECK(refused((app.files() / "tasks").native()).contains("andon init"));
  std::filesystem::create_directories(app.data() / "kanban");
  std::filesystem::copy(app.files() / "config.yml", app.data() / "kanban");
  CHECK(refused((app.data() / "kanban").native()).contains("inside the data directory"));
  std::filesystem::create_directories(app.data().parent_path() / "linked");
  std::filesystem::create_symlink(app.files() / "config.yml", app.data().parent_path() / "linked/config.yml");
  CHECK(refused((app.data().parent_path() / "linked").native()) != "was attached");
  app.attach();
  CHECK(refused(app.files().native(), "other").contains("attached already"));
}

namespace {

/// A repository around the board of a house, in which git begins and ends its work.
class Repository {
 public:
  explicit Repository(AttachedTestBoard const& app) : git_(app.files().parent_path() / ".git") {
    std::filesystem::create_directories(git_);
    ByHand::write(git_ / "index", "one");
  }
  void begin() const { ByHand::write(git_ / "index.lock", ""); }
  void end() const { std::filesystem::rename(git_ / "index.lock", git_ / "index"); }

 private:
  std::filesystem::path git_;
};

}  // namespace

TEST_CASE("Attached.FilesAreReadWhenGitHasChangedThemAll") {
  AttachedTestBoard app;
  add_task(app.beside(), a_task("First"));
  add_task(app.beside(), a_task("Second"));
  Repository const git(app);
  auto const id = app.attach();
  git.begin();
  app.edit(app.task("001-first.md"), "title: First", "title: Uno");
  app.edit(app.files() / "config.yml", "version: ", "versio");  // as a file that is written stands there
  auto const change = [&] {
    change_task(app.store(), app.keyed("SHOP-1").id, [](core::Task& task) { task.title = "Mine"; });
  };
  CHECK_THROWS_WITH_AS(change(), doctest::Contains("git is changing the files of board \"shop\""),
                       store::StoreError);
  CHECK(app.board(id).trouble.empty());
  CHECK(app.keyed("SHOP-1").title == "First");
  app.edit(app.files() / "config.yml", "versio", "version: ");
  app.edit(app.task("002-second.md"), "title: Second", "title: Due");
  git.end();
  CHECK(app.comes_true([&] { return app.keyed("SHOP-1").title == "Uno"; }));
  CHECK(app.keyed("SHOP-2").title == "Due");
  change();
  CHECK(app.keyed("SHOP-1").title == "Mine");
}

TEST_CASE("Attached.LockThatGitLeftBehindHoldsUpNothing") {
  AttachedTestBoard app;
  add_task(app.beside(), a_task("First"));
  Repository const git(app);
  git.begin();
  auto const lock = app.files().parent_path() / ".git/index.lock";
  std::filesystem::last_write_time(lock, std::filesystem::last_write_time(lock) - std::chrono::minutes{1});
  app.attach();
  app.edit(app.task("001-first.md"), "title: First", "title: Uno");
  CHECK(app.comes_true([&] { return app.keyed("SHOP-1").title == "Uno"; }));
}
