#include <doctest/doctest.h>

#include "store/markdown/files/folder.hpp"

using namespace andon;
using namespace andon::store::markdown;
using test::Folder;

TEST_CASE("Placement.ReplacesWhatWasRead") {
  Folder folder;
  folder.write("001-a.md", "old");
  std::vector files{folder.change("001-a.md", "001-a.md", "new"),
                    NewFile{.name = "002-b.md", .text = "born"}};
  CHECK(publish_tasks(*folder, files));
  CHECK(folder.text("001-a.md") == "new");
  CHECK(folder.text("002-b.md") == "born");
  CHECK(folder.leaves_nothing());
}

TEST_CASE("Placement.PutsBackWhatSomebodyWroteMeanwhile") {
  Folder folder;
  folder.write("001-a.md", "old");
  folder.write("002-b.md", "old");
  folder.write("003-c.md", "old");
  std::vector files{
      folder.change("001-a.md", "001-a.md", "new"), folder.change("002-b.md", "002-renamed.md", "new"),
      NewFile{.name = "004-d.md", .text = "born"}, folder.change("003-c.md", "003-c.md", "new")};
  folder.write("003-c.md", "theirs");
  CHECK_FALSE(publish_tasks(*folder, files));
  CHECK(folder.text("001-a.md") == "old");
  CHECK(folder.text("002-b.md") == "old");
  CHECK(folder.text("002-renamed.md") == "(none)");
  CHECK(folder.text("003-c.md") == "theirs");
  CHECK(folder.text("004-d.md") == "(none)");
  CHECK(folder.leaves_nothing());
}

TEST_CASE("Placement.TakesNoNameThatIsThere") {
  Folder folder;
  folder.write("001-a.md", "old");
  std::vector renamed{folder.change("001-a.md", "002-b.md", "new")};
  std::vector born{NewFile{.name = "002-b.md", .text = "born"}};
  folder.write("002-b.md", "theirs");
  CHECK_FALSE(publish_tasks(*folder, renamed));
  CHECK_FALSE(publish_tasks(*folder, born));
  CHECK(folder.text("001-a.md") == "old");
  CHECK(folder.text("002-b.md") == "theirs");
}

TEST_CASE("Placement.LeavesAFileThatIsGoneGone") {
  Folder folder;
  folder.write("001-a.md", "old");
  std::vector files{folder.change("001-a.md", "001-a.md", "new")};
  std::filesystem::remove((*folder).tasks().path() / "001-a.md");
  CHECK_FALSE(publish_tasks(*folder, files));
  CHECK(folder.text("001-a.md") == "(none)");
  CHECK(folder.leaves_nothing());
}
