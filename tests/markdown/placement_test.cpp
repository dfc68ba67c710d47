#include <fstream>

#include <doctest/doctest.h>

#include "store/markdown/file_index.hpp"
#include "store/markdown/publication.hpp"
#include "support/scratch.hpp"

using namespace andon;
using namespace andon::store::markdown;

namespace {

class Folder {
 public:
  Folder() : folder_((std::filesystem::create_directory(scratch_ / "tasks"), scratch_.path())) {
    folder_.open_tasks("tasks");
  }
  BoardFolder const& operator*() const { return folder_; }
  void write(std::string const& name, std::string_view text) {
    std::filesystem::remove(scratch_ / "tasks" / name);
    std::ofstream{scratch_ / "tasks" / name} << text;
  }
  std::string text(std::string const& name) const {
    auto const content = folder_.tasks().read(name, kLongestTask);
    return content ? content->text : "(none)";
  }
  /// A change of a file as it is now.
  NewFile change(std::string const& old_name, std::string const& name, std::string text) const {
    auto const was = folder_.tasks().read(old_name, kLongestTask);
    return {name, old_name, was->look.stamp, hash_of(was->text), std::move(text)};
  }
  bool leaves_nothing() const { return std::filesystem::is_empty(scratch_ / ".andon/new"); }

 private:
  test::Scratch scratch_;
  BoardFolder folder_;
};

}  // namespace

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
