#include <map>
#include <optional>

#include <doctest/doctest.h>

#include "store/engine/unit/unit.hpp"
#include "store/engine/writer/writer.hpp"
#include "store/markdown/sync/board_mirror.hpp"
#include "store/markdown/test_board.hpp"
#include "store/sqlite/driver/sqlite_index_opener.hpp"

using namespace andon;
using namespace andon::test;
using store::markdown::Access;
using store::markdown::BoardMirror;

namespace {

/// The files of a house as somebody sees them who may not write them.
class Reading {
 public:
  explicit Reading(TestBoard const& app)
      : mirror_(app.path(""), clock_, warnings_, store::markdown::Numbering::same(), Access::read) {}

  /// In the order of their numbers, one behind the other.
  std::string titles() {
    std::string out;
    writer_.read([&](store::Tx& tx) {
      out.clear();
      auto const page = tx.list({}, {});
      for (auto const& task : page->tasks) out += task.title + ".";
    });
    return out;
  }
  core::Task task(core::TaskId id) {
    std::optional<core::Task> out;
    writer_.read([&](store::Tx& tx) { out = tx.task(id); });
    REQUIRE(out);
    return *out;
  }

 private:
  os::SystemClock clock_;
  store::markdown::Warnings warnings_{store::pass_over};
  BoardMirror mirror_;
  store::WriterTimes times_;
  store::engine::Writer writer_{store::sqlite::SqliteIndexOpener{}.in_memory(), store::exit_on_fatal, times_,
                                &mirror_};
};

/// Every file with its text, to tell whether anything was changed.
std::map<std::string, std::string> contents(TestBoard const& app) {
  std::map<std::string, std::string> out;
  for (auto const& entry : std::filesystem::recursive_directory_iterator{app.path("")})
    if (entry.is_regular_file()) out[entry.path().native()] = app.read(entry.path());
  return out;
}

}  // namespace

TEST_CASE("Reading.ShowsTheFilesAsTheyAreEachTime") {
  TestBoard app;
  add_task(app.store(), a_task("First"));
  app.close();
  Reading reading{app};
  CHECK(reading.titles() == "First.");
  app.edit(app.task("001-first.md"), "title: First", "title: Changed");
  app.write(app.task("002-second.md"), "---\nid: 2\ntitle: Second\nstatus: todo\n---\n");
  CHECK(reading.titles() == "Changed.Second.");
  CHECK(reading.task(1).file == app.task("001-first.md").native());
  std::filesystem::remove(app.task("001-first.md"));
  CHECK(reading.titles() == "Second.");
}

TEST_CASE("Reading.ShowsAFileAgainWhoseNumberIsFree") {
  TestBoard app;
  add_task(app.store(), a_task("First"));
  app.close();
  app.write(app.task("001-other.md"), "---\nid: 1\ntitle: Other\nstatus: todo\n---\n");
  Reading reading{app};
  CHECK(reading.titles() == "First.");
  std::filesystem::remove(app.task("001-first.md"));
  CHECK(reading.titles() == "Other.");
}

TEST_CASE("Reading.RepairsNothing") {
  TestBoard app;
  add_task(app.store(), a_task("First"));
  app.close();
  app.write(app.task("001-twin.md"), "---\nid: 1\ntitle: Twin\nstatus: todo\n---\n");
  app.write(app.task("odd.md"),
            "---\nid: 7\ntitle: Odd\nstatus: todo\nclaimed_by: ann\nclaimed_at: 2020-01-01T00:00:00Z\n---\n");
  app.edit(app.path("config.yml"), "next_id: 2", "next_id: 1");
  auto const before = contents(app);
  Reading reading{app};
  CHECK(reading.titles() == "First.Odd.");
  CHECK(reading.titles() == "First.Odd.");
  CHECK(contents(app) == before);
}

TEST_CASE("Reading.NeedsNoDirectoryOfTasks") {
  TestBoard app;
  app.close();
  std::filesystem::remove_all(app.path("tasks"));
  std::filesystem::remove_all(app.path(".andon"));
  Reading reading{app};
  CHECK(reading.titles().empty());
  CHECK_FALSE(std::filesystem::exists(app.path("tasks")));
  CHECK_FALSE(std::filesystem::exists(app.path(".andon")));
}
