#include <algorithm>
#include <fcntl.h>
#include <sys/stat.h>

#include <doctest/doctest.h>

#include "core/tasks/pick.hpp"
#include "os/files/descriptor.hpp"
#include "store/markdown/attached_house.hpp"

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
  AttachedHouse house;
  add_board(house.store(), a_board("own"));
  auto own = titled("Own");
  own.board = "own";
  add_task(house.store(), own);
  auto const first = add_task(house.beside(), titled("First"));
  auto second = titled("Second");
  second.depends_on = {first.id};
  second.parent = first.id;
  add_task(house.beside(), second);

  auto const board = house.attach();
  CHECK(house.board(board).name == "shop");
  CHECK(house.board(board).prefix == "SHOP");
  auto const seen_first = house.keyed("shop-1");
  auto const seen_second = house.keyed("SHOP-2");
  CHECK(seen_first.id == 2);
  CHECK(seen_second.id == 3);
  CHECK(seen_second.title == "Second");
  CHECK(seen_second.depends_on == std::vector<core::TaskId>{seen_first.id});
  CHECK(seen_second.parent == seen_first.id);
  CHECK(seen_second.state.open_deps == 1);
  CHECK(seen_second.source == "file");
  CHECK(seen_second.file == house.task("002-second.md"));
}

TEST_CASE("Attached.ChangesAreInTheFilesWhenTheUnitIsKept") {
  AttachedHouse house;
  add_task(house.beside(), titled("First"));
  house.attach();
  auto const id = house.keyed("SHOP-1").id;
  change_task(house.store(), id, [](core::Task& task) { task.priority = "high"; });
  CHECK(house.read(house.task("001-first.md")).contains("priority: high"));
  auto third = titled("Made by the server");
  third.depends_on = {id};
  auto const made = add_task(house.store(), third);
  CHECK(made.key == "SHOP-2");
  auto const text = house.read(house.task("002-made-by-the-server.md"));
  CHECK(text.contains("id: 2\n"));
  CHECK(text.contains("depends_on:\n    - 1\n"));
  auto const beside = seen(house.beside(), [](store::Tx& tx) { return tx.task(2); });
  REQUIRE(beside);
  CHECK(beside->title == "Made by the server");
  CHECK(house.read(house.files() / "config.yml").contains("next_id: 3"));
}

TEST_CASE("Attached.EditsOfOthersComeWithEvents") {
  AttachedHouse house;
  add_task(house.beside(), titled("First"));
  house.attach();
  auto const id = house.keyed("SHOP-1").id;
  house.edit(house.task("001-first.md"), "status: backlog", "status: todo");
  CHECK(house.comes_true([&] { return house.keyed("SHOP-1").status == "todo"; }));
  CHECK(told(house.events(), EventKind::task_moved, id));

  add_task(house.beside(), titled("Second"));
  CHECK(house.comes_true([&] { return house.find("SHOP-2").has_value(); }));
  auto const second = house.keyed("SHOP-2").id;
  CHECK(told(house.events(), EventKind::task_created, second));

  std::filesystem::remove(house.task("002-second.md"));
  CHECK(house.comes_true([&] { return !house.find("SHOP-2").has_value(); }));
  CHECK(told(house.events(), EventKind::task_deleted, second));
}

TEST_CASE("Attached.FileThatComesBackIsTheSameTask") {
  AttachedHouse house;
  add_task(house.beside(), titled("First"));
  house.attach();
  auto const id = house.keyed("SHOP-1").id;
  auto const text = house.read(house.task("001-first.md"));
  std::filesystem::remove(house.task("001-first.md"));
  CHECK(house.comes_true([&] { return !house.find("SHOP-1").has_value(); }));
  add_board(house.store(), a_board("own"));
  auto own = titled("Own");
  own.board = "own";
  CHECK(add_task(house.store(), own).id != id);
  house.write(house.task("001-first.md"), text);
  CHECK(house.comes_true([&] { return house.find("SHOP-1").has_value(); }));
  CHECK(house.keyed("SHOP-1").id == id);
}

TEST_CASE("Attached.UnitIsDecidedAgainOnWhatOthersWrote") {
  AttachedHouse house;
  add_task(house.beside(), titled("First"));
  house.attach();
  auto const id = house.keyed("SHOP-1").id;
  int decided = 0;
  keep(house.store(), [&](store::Tx& tx) {
    auto task = *tx.task(id);
    if (decided++ == 0) house.edit(house.task("001-first.md"), "title: First", "title: Foreign");
    task.priority = "high";
    ++task.rev;
    tx.put(task);
  });
  CHECK(decided > 1);
  auto const text = house.read(house.task("001-first.md"));
  CHECK(text.contains("title: Foreign"));
  CHECK(text.contains("priority: high"));
  CHECK(house.keyed("SHOP-1").title == "Foreign");
}

TEST_CASE("Attached.PipeInPlaceOfAFileIsTroubleOfItsBoardOnly") {
  AttachedHouse house;
  add_task(house.beside(), titled("First"));
  auto const board = house.attach();
  add_board(house.store(), a_board("own"));
  auto const intent = house.intents_of(board);
  REQUIRE(::mkfifo(intent.c_str(), 0600) == 0);
  house.edit(house.task("001-first.md"), "status: backlog", "status: todo");
  CHECK(house.comes_true([&] { return !house.board(board).trouble.empty(); }));
  auto own = titled("Own");
  own.board = "own";
  auto const start = std::chrono::steady_clock::now();
  add_task(house.store(), own);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds{5});
  CHECK_THROWS_AS(
      change_task(house.store(), house.keyed("SHOP-1").id, [](core::Task& task) { task.priority = "high"; }),
      StoreError);
  std::filesystem::remove(intent);
  CHECK(house.comes_true([&] { return house.board(board).trouble.empty(); }));
  CHECK(house.comes_true([&] { return house.keyed("SHOP-1").status == "todo"; }));
}

TEST_CASE("Attached.NoPassReadsMoreFilesThanAUnitCanTake") {
  constexpr int kFiles = 700;
  AttachedHouse house;
  for (int n = 1; n <= kFiles; ++n) {
    auto const number = std::to_string(n);
    house.write(house.task((n < 10    ? "00"
                            : n < 100 ? "0"
                                      : "") +
                           number + "-t.md"),
                "---\nid: " + number + "\ntitle: T\nstatus: todo\npriority: low\ndepends_on: [" +
                    std::to_string(n == kFiles ? 1 : n + 1) + "]\n---\n");
  }
  auto const id = house.attach();
  CHECK(house.comes_true([&] { return house.board(id).trouble.empty(); }));
  CHECK(seen(house.store(), [&](store::Tx& tx) { return tx.load(id).columns.at("todo"); }) == kFiles);
  CHECK(house.keyed("SHOP-1").state.open_deps == 1);
  CHECK(
      std::ranges::none_of(house.events(), [](auto const& e) { return e.kind == EventKind::task_created; }));
  auto const pass =
      house.store().writer_times().told().acts.at(static_cast<std::size_t>(store::WriterAct::catch_up));
  CHECK(pass.count > kFiles / 250);
  CHECK(pass.most.rows < kFiles * 5);
}

TEST_CASE("Attached.ThousandsOfEditsAreAllReadBeforeTheBoardIsChanged") {
  constexpr std::size_t kMany = 2'300;
  AttachedHouse house;
  auto const write_all = [&](std::string const& status) {
    for (std::size_t n = 1; n <= kMany; ++n) {
      auto const number = std::to_string(n);
      auto const fresh = house.files() / "fresh";
      house.write(fresh, "---\nid: " + number + "\ntitle: T\nstatus: " + status + "\npriority: low\n---\n");
      std::filesystem::rename(fresh, house.task((n < 10 ? "00" : n < 100 ? "0" : "") + number + "-t.md"));
    }
  };
  auto const are_all = [&](std::string const& status) {
    return seen(house.store(), [&](store::Tx& tx) {
      store::TaskFilter filter;
      filter.statuses = {status};
      store::Page page;
      page.limit = kMany;
      return tx.list(filter, page)->tasks.size() == kMany;
    });
  };
  write_all("backlog");
  auto const board = house.attach();
  CHECK(house.comes_true([&] { return house.board(board).trouble.empty(); }));
  auto const id = house.keyed("SHOP-1").id;
  write_all("todo");
  // While they are read units that change the board are refused.
  CHECK(house.comes_true([&] {
    try {
      change_task(house.store(), id, [](core::Task& task) { task.priority = "high"; });
      return true;
    } catch (StoreError const& error) {
      REQUIRE(error.kind() == StoreError::Kind::unreachable);
      return false;
    }
  }));
  CHECK(are_all("todo"));
  CHECK(house.read(house.task("001-t.md")).contains("status: todo\npriority: high\n"));
  write_all("backlog");
  CHECK(house.comes_true([&] { return are_all("backlog"); }));
}

TEST_CASE("Attached.WhatFilesSayIsNotApprovedUntilTheyAreTrusted") {
  AttachedHouse house;
  add_task(house.beside(), titled("First", "todo"));
  auto const board = house.attach();
  auto const id = house.keyed("SHOP-1").id;
  CHECK_FALSE(house.keyed("SHOP-1").approved);
  change_task(house.store(), id, [](core::Task& task) { task.approved = true; });
  change_task(house.beside(), 1, [](core::Task& task) { task.priority = "high"; });
  CHECK(house.comes_true([&] { return house.keyed("SHOP-1").priority == "high"; }));
  CHECK(house.keyed("SHOP-1").approved);
  house.edit(house.task("001-first.md"), "title: First", "title: Do evil");
  CHECK(house.comes_true([&] { return house.keyed("SHOP-1").title == "Do evil"; }));
  CHECK_FALSE(house.keyed("SHOP-1").approved);

  keep(house.store(), [&](store::Tx& tx) {
    auto now = *tx.board(board);
    now.approval = core::Approval::trusted;
    now.trusted = {"file"};
    tx.put(now);
  });
  house.edit(house.task("001-first.md"), "title: Do evil", "title: Do good");
  CHECK(house.comes_true([&] { return house.keyed("SHOP-1").title == "Do good"; }));
  CHECK(house.keyed("SHOP-1").approved);
  CHECK_FALSE(house.read(house.files() / "config.yml").contains("trusted"));
}

TEST_CASE("Attached.WhatNoPersonHasReadCostsThePickOfAWorkerNothing") {
  AttachedHouse house;
  for (auto const* title : {"First", "Second", "Third"}) add_task(house.beside(), titled(title, "todo"));
  auto const board = house.attach();
  auto const id = house.keyed("SHOP-2").id;
  auto const offered = [&](core::Picker const& picker) {
    return seen(house.store(), [&](store::Tx& tx) {
      std::vector<std::string> out;
      tx.candidates({board, {"todo"}, core::lanes(*tx.board(board), picker), ""}, at_minute(0),
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
  CHECK(seen(house.store(), [&](store::Tx& tx) {
          return tx.held_back({board, {"todo"}, {""}, ""}, at_minute(0), 10);
        }) == std::vector<std::pair<std::string, std::int64_t>>{{"approval", 3}});
  change_task(house.store(), id, [](core::Task& task) { task.approved = true; });
  CHECK(offered(dev) == Keys{"SHOP-2"});
  CHECK(offered(ann) == Keys{"SHOP-1", "SHOP-2", "SHOP-3"});
  house.edit(house.task("002-second.md"), "title: Second", "title: Do evil");
  CHECK(house.comes_true([&] { return !house.keyed("SHOP-2").approved; }));
  CHECK(offered(dev).empty());
  keep(house.store(), [&](store::Tx& tx) {
    auto now = *tx.board(board);
    now.approval = core::Approval::trusted;
    now.trusted = {"file"};
    tx.put(now);
  });
  CHECK(offered(dev) == Keys{"SHOP-1", "SHOP-2", "SHOP-3"});
}

TEST_CASE("Attached.ColumnsAreThoseOfTheSettingsBothWays") {
  AttachedHouse house;
  auto const board = house.attach();
  house.edit(house.files() / "config.yml", "priorities:\n    - low\n",
             "priorities:\n    - lowest\n    - low\n");
  CHECK(house.comes_true([&] { return house.board(board).priorities.front() == "lowest"; }));
  keep(house.store(), [&](store::Tx& tx) {
    auto now = *tx.board(board);
    now.columns[1].wip_limit = 7;
    tx.put(now);
  });
  CHECK(house.read(house.files() / "config.yml").contains("todo: 7"));
  CHECK(seen(house.beside(), [](store::Tx& tx) { return tx.boards().front()->columns[1].wip_limit; }) == 7);
}

TEST_CASE("Attached.DirectoryThatIsGoneIsTroubleOfItsBoardOnly") {
  AttachedHouse house;
  add_task(house.beside(), titled("First"));
  auto const board = house.attach();
  add_board(house.store(), a_board("own"));
  auto const id = house.keyed("SHOP-1").id;
  house.beside().close();
  std::filesystem::rename(house.files(), house.files().native() + "-away");
  auto const write = [&] {
    change_task(house.store(), id, [](core::Task& task) { task.priority = "high"; });
  };
  CHECK_THROWS_AS(write(), StoreError);
  CHECK(house.comes_true([&] { return !house.board(board).trouble.empty(); }));
  CHECK(house.keyed("SHOP-1").title == "First");
  auto own = titled("Own");
  own.board = "own";
  CHECK(add_task(house.store(), own).id > 0);

  std::filesystem::rename(house.files().native() + "-away", house.files());
  CHECK(house.comes_true([&] { return house.board(board).trouble.empty(); }));
  write();
  CHECK(house.read(house.task("001-first.md")).contains("priority: high"));
}

TEST_CASE("Attached.BrokenSettingsAreTroubleAndHealByThemselves") {
  AttachedHouse house;
  add_task(house.beside(), titled("First"));
  auto const board = house.attach();
  auto const good = house.read(house.files() / "config.yml");
  house.write(house.files() / "config.yml", "<<<<<<< HEAD\n" + good);
  CHECK(house.comes_true([&] { return !house.board(board).trouble.empty(); }));
  house.write(house.files() / "config.yml", good);
  CHECK(house.comes_true([&] { return house.board(board).trouble.empty(); }));
}

TEST_CASE("Attached.FileThatCannotBeReadStaysAsItWasAndLeavesTheOthers") {
  AttachedHouse house;
  add_task(house.beside(), titled("First"));
  add_task(house.beside(), titled("Second"));
  house.attach();
  auto const first = house.keyed("SHOP-1").id;
  auto const raise = [](core::Task& task) { task.priority = "high"; };
  auto const good = house.read(house.task("001-first.md"));
  auto const torn = "---\n<<<<<<< HEAD\n" + good.substr(4);
  house.write(house.task("001-first.md"), torn);
  std::string refusal;
  try {
    change_task(house.store(), first, raise);
  } catch (StoreError const& error) {
    refusal = error.what();
  }
  CHECK(refusal.contains("001-first.md:2:"));
  CHECK(house.read(house.task("001-first.md")) == torn);
  CHECK(house.keyed("SHOP-1").title == "First");
  change_task(house.store(), house.keyed("SHOP-2").id, raise);
  house.write(house.task("001-first.md"), good);
  change_task(house.store(), first, raise);
  CHECK(house.read(house.task("001-first.md")).contains("priority: high"));
}

TEST_CASE("Attached.WhatChangedWhileTheServerWasAwayIsReadWhenItStarts") {
  AttachedHouse house;
  add_task(house.beside(), titled("First"));
  house.attach();
  house.close();
  change_task(house.beside(), 1, [](core::Task& task) { task.priority = "high"; });
  add_task(house.beside(), titled("Second"));
  house.open();
  CHECK(house.keyed("SHOP-1").priority == "high");
  CHECK(house.keyed("SHOP-2").title == "Second");
}

TEST_CASE("Attached.DetachingLeavesTheFilesAndNothingElse") {
  AttachedHouse house;
  add_task(house.beside(), titled("First"));
  auto const board = house.attach();
  auto const id = house.keyed("SHOP-1").id;
  keep(house.store(), [&](store::Tx& tx) { tx.remove_board(board); });
  CHECK_FALSE(house.find("SHOP-1").has_value());
  CHECK(seen(house.store(), [](store::Tx& tx) { return tx.boards().empty(); }));
  change_task(house.beside(), 1, [](core::Task& task) { task.priority = "high"; });
  CHECK(house.read(house.task("001-first.md")).contains("priority: high"));
  CHECK(house.attach() > 0);
  CHECK(house.keyed("SHOP-1").id > id);
  CHECK(house.keyed("SHOP-1").priority == "high");
}

TEST_CASE("Attached.WhatCannotBeAttachedIsRefused") {
  AttachedHouse house;
  auto const refused = [&](std::string const& directory, std::string const& name = {}) -> std::string {
    try {
      core::Board board;
      board.directory = directory;
      board.name = name;
      add_board(house.store(), board);
    } catch (StoreError const& error) {
      CHECK(error.kind() == StoreError::Kind::refused);
      return error.what();
    }
    return "was attached";
  };
  CHECK(refused("kanban").contains("absolute"));
  CHECK(refused((house.files() / "nowhere").native()).contains("No such file"));
  CHECK(refused((house.files() / "config.yml").native()).contains("no directory"));
  CHECK(refused((house.files() / "tasks").native()).contains("andon init"));
  std::filesystem::create_directories(house.data() / "kanban");
  std::filesystem::copy(house.files() / "config.yml", house.data() / "kanban");
  CHECK(refused((house.data() / "kanban").native()).contains("inside the data directory"));
  std::filesystem::create_directories(house.data().parent_path() / "linked");
  std::filesystem::create_symlink(house.files() / "config.yml",
                                  house.data().parent_path() / "linked/config.yml");
  CHECK(refused((house.data().parent_path() / "linked").native()) != "was attached");
  house.attach();
  CHECK(refused(house.files().native(), "other").contains("attached already"));
}

namespace {

/// A repository around the board of a house, in which git begins and ends its work.
class Repository {
 public:
  explicit Repository(AttachedHouse const& house) : git_(house.files().parent_path() / ".git") {
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
  AttachedHouse house;
  add_task(house.beside(), a_task("First"));
  add_task(house.beside(), a_task("Second"));
  Repository const git(house);
  auto const id = house.attach();
  git.begin();
  house.edit(house.task("001-first.md"), "title: First", "title: Uno");
  house.edit(house.files() / "config.yml", "version: ", "versio");  // as a file that is written stands there
  auto const change = [&] {
    change_task(house.store(), house.keyed("SHOP-1").id, [](core::Task& task) { task.title = "Mine"; });
  };
  CHECK_THROWS_WITH_AS(change(), doctest::Contains("git is changing the files of board \"shop\""),
                       store::StoreError);
  CHECK(house.board(id).trouble.empty());
  CHECK(house.keyed("SHOP-1").title == "First");
  house.edit(house.files() / "config.yml", "versio", "version: ");
  house.edit(house.task("002-second.md"), "title: Second", "title: Due");
  git.end();
  CHECK(house.comes_true([&] { return house.keyed("SHOP-1").title == "Uno"; }));
  CHECK(house.keyed("SHOP-2").title == "Due");
  change();
  CHECK(house.keyed("SHOP-1").title == "Mine");
}

TEST_CASE("Attached.LockThatGitLeftBehindHoldsUpNothing") {
  AttachedHouse house;
  add_task(house.beside(), a_task("First"));
  Repository const git(house);
  git.begin();
  auto const lock = house.files().parent_path() / ".git/index.lock";
  std::filesystem::last_write_time(lock, std::filesystem::last_write_time(lock) - std::chrono::minutes{1});
  house.attach();
  house.edit(house.task("001-first.md"), "title: First", "title: Uno");
  CHECK(house.comes_true([&] { return house.keyed("SHOP-1").title == "Uno"; }));
}
