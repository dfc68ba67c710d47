#include "store/markdown/files/reading_record.hpp"

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

#include "store/markdown/attached_test_board.hpp"
#include "store/markdown/files/board_folder.hpp"
#include "store/markdown/test_board.hpp"

using namespace andon;
using namespace andon::test;
using store::markdown::BoardFolder;

namespace {

constexpr std::string_view kSays = "the program ended twice while it read this file";

/// A process that dies while it parses a file of the board.
void die_parsing(std::filesystem::path const& board, std::string const& name, std::string const& text) {
  auto const child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    BoardFolder const folder{board};
    auto const parsing = folder.begin_parsing(name, text, name);
    ::raise(SIGKILL);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(WIFSIGNALED(status));
}

std::string refusal(std::filesystem::path const& board, std::string const& name, std::string const& text) {
  BoardFolder const folder{board};
  auto const parsing = folder.begin_parsing(name, text, name);
  return parsing ? "" : parsing.error().message;
}

std::string file_of(int id, std::string const& title) {
  return "---\nid: " + std::to_string(id) + "\ntitle: " + title + "\nstatus: todo\npriority: high\n---\n";
}

}  // namespace

TEST_CASE("ReadingRecord.NamesTheFileOnWhichAProcessDied") {
  Scratch const board;
  CHECK(refusal(board.path(), "1-a.md", "a").empty());
  CHECK(refusal(board.path(), "1-a.md", "a").empty());
  for (int death = 0; death < 2; ++death) die_parsing(board.path(), "1-a.md", "a");
  for (int death = 0; death < 2; ++death) die_parsing(board.path(), "config.yml", "b");
  for (int start = 0; start < 2; ++start) {
    CHECK(refusal(board.path(), "1-a.md", "a").starts_with("1-a.md: " + std::string{kSays}));
    CHECK(refusal(board.path(), "config.yml", "b").contains(kSays));
  }
  CHECK(refusal(board.path(), "1-a.md", "A").empty());
  CHECK(refusal(board.path(), "2-a.md", "a").empty());
  std::filesystem::remove(board / ".andon/left-out");
  CHECK(refusal(board.path(), "1-a.md", "a").empty());
}

TEST_CASE("ReadingRecord.OfOneDeathMayBeChance") {
  Scratch const board;
  for (int round = 0; round < 3; ++round) {
    die_parsing(board.path(), "1-a.md", "a");
    CHECK(refusal(board.path(), "1-a.md", "a").empty());
    CHECK(ByHand::read(board / ".andon/left-out").empty());
  }
}

TEST_CASE("ReadingRecord.OfAProcessThatLivesIsNone") {
  Scratch const board;
  BoardFolder const folder{board.path()};
  auto const parsing = folder.begin_parsing("1-a.md", "a", "1-a.md");
  REQUIRE(parsing);
  CHECK(refusal(board.path(), "1-a.md", "a").empty());
  CHECK_FALSE(std::filesystem::exists(board / ".andon/left-out"));
}

TEST_CASE("ReadingRecord.IsNotBelievedBlindly") {
  Scratch const board;
  CHECK(refusal(board.path(), "1-a.md", "a").empty());
  auto const reading = board / ".andon/reading";
  for (std::string const found :
       {"0123456789abcdef ../1-a.md\n", "0123456789abcdef /etc/x.md\n", "0123456789abcdef passwd\n",
        "1-a.md\n", "0123456789abcdeg 1-a.md\n", "0123456789abcdef", "\n\n\n", "?\t"}) {
    ByHand::write(reading, found + std::string(1000, 'x'));
    CHECK(refusal(board.path(), "1-a.md", "a").empty());
    ByHand::write(reading, found);
    CHECK(refusal(board.path(), "1-a.md", "a").empty());
    CHECK_FALSE(std::filesystem::exists(board / ".andon/left-out"));
  }
  ByHand::write(board / "other", "theirs");
  std::filesystem::remove(reading);
  std::filesystem::create_hard_link(board / "other", reading);
  CHECK(refusal(board.path(), "1-a.md", "a").empty());
  std::filesystem::remove(reading);
  std::filesystem::create_symlink(board / "other", reading);
  CHECK(refusal(board.path(), "1-a.md", "a").empty());
  CHECK(ByHand::read(board / "other") == "theirs");
}

TEST_CASE("ReadingRecord.FileIsLeftOutUntilItChanges") {
  TestBoard app;
  add_task(app.store());
  app.write(app.task("007-second.md"), file_of(7, "Second"));
  CHECK(app.has_task(7));
  app.close();
  for (int death = 0; death < 2; ++death) die_parsing(app.path(""), "007-second.md", file_of(7, "Second"));
  for (int start = 0; start < 2; ++start) {
    app.warnings.clear();
    app.lose_index();
    CHECK(app.seen_task(1).title == "Do something");
    CHECK_THROWS_AS(app.has_task(7), store::StoreError);
    CHECK(app.warned_of("tasks/007-second.md: " + std::string{kSays}));
  }
  app.write(app.task("007-second.md"), file_of(7, "Mended"));
  CHECK(app.seen_task(7).title == "Mended");
}

TEST_CASE("ReadingRecord.AttachedBoardIsServedWithoutTheFile") {
  AttachedTestBoard app;
  add_task(app.beside(), a_task("First"));
  app.attach();
  app.close();
  app.open_files();
  app.write(app.task("002-second.md"), file_of(2, "Second"));
  for (int death = 0; death < 2; ++death) die_parsing(app.files(), "002-second.md", file_of(2, "Second"));
  app.open();
  CHECK(app.comes_true([&] {
    return std::ranges::any_of(app.warnings, [](auto const& each) { return each.contains(kSays); });
  }));
  CHECK(app.keyed("SHOP-1").title == "First");
  app.write(app.task("002-second.md"), file_of(2, "Mended"));
  CHECK(app.comes_true([&] { return app.find("SHOP-2").has_value(); }));
}

TEST_CASE("HostileFiles.AreNamedAndTheOthersAreServed") {
  AttachedTestBoard app;
  add_task(app.beside(), a_task("First"));
  auto const board = app.attach();
  struct Row {
    std::string name, front, says;
  };
  std::vector<Row> const rows{
      {"010-a.md", "?\t-\n", "010-a.md:2:1: a key must be a text"},
      {"011-a.md", "?\t[\n", "011-a.md:2:1: a key must be a text"},
      {"012-a.md", "a: &x [*x]\n", "012-a.md:2:4: an anchor"},
      {"013-a.md", "id: 13\n...\nid: 14\n", "013-a.md:4:1: there is a second document"},
      {"014-a.md", "id: 14\n--- # more\ntitle: a\n", "014-a.md:3:1: there is a second document"},
      {"015-a.md", "a: " + std::string(50'000, '[') + "\n", "015-a.md:2:27: values are nested deeper"},
      {"016-a.md", "a:\n\t- b\n", "016-a.md:3:1: tabs do not indent"},
      {"017-a.md", "a: \"\xEF\xBF\n", "017-a.md:2:1: the line is not UTF-8"}};
  for (auto const& row : rows) app.write(app.task(row.name), "---\n" + row.front + "---\n");
  auto const all_named = [&] {
    return std::ranges::all_of(rows, [&](auto const& row) {
      return std::ranges::any_of(app.warnings, [&](auto const& each) { return each.contains(row.says); });
    });
  };
  auto const served = [&] { return app.keyed("SHOP-1").title == "First"; };
  CHECK(app.comes_true([&] { return served() && all_named(); }));
  app.warnings.clear();
  app.close();
  app.open();
  CHECK(app.comes_true([&] { return served() && all_named(); }));
  add_board(app.store(), a_board("own"));
  core::Task own = a_task("Own");
  own.board = "own";
  auto const id = add_task(app.store(), own).id;
  app.write(app.files() / "config.yml", "?\t-\n");
  CHECK(app.comes_true(
      [&] { return app.board(board).trouble.contains("config.yml:1:1: a key must be a text"); }));
  CHECK(seen(app.store(), [&](store::Tx& tx) { return tx.task(id).has_value(); }));
}
