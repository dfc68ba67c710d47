#include "store/markdown/index/publication.hpp"

#include <doctest/doctest.h>

#include "store/markdown/files/folder.hpp"

using namespace andon;
using namespace andon::store::markdown;
using test::Folder;

namespace {

void pass_over(std::string_view) {}

Publication publication_of(Folder const& folder, std::string index = "ix") {
  return {*folder, "intent", "task-", std::move(index)};
}

/// An edit, a renaming and a new file, put in place by a process that then dies.
void put_three(Folder& folder, std::int64_t number) {
  folder.write("001-a.md", "old");
  folder.write("002-b.md", "old");
  std::vector files{folder.change("001-a.md", "001-a.md", "new"),
                    folder.change("002-b.md", "002-renamed.md", "new"),
                    NewFile{.name = "003-c.md", .text = "born"}};
  REQUIRE(publication_of(folder).put(number, files));
  REQUIRE(folder.text("002-renamed.md") == "new");
}

}  // namespace

TEST_CASE("Publication.IsUndoneWhenTheIndexDoesNotKnowIt") {
  Folder folder;
  put_three(folder, 7);
  auto next = publication_of(folder);
  CHECK_FALSE(next.recover(6, pass_over));
  CHECK(folder.text("001-a.md") == "old");
  CHECK(folder.text("002-b.md") == "old");
  CHECK(folder.text("002-renamed.md") == "(none)");
  CHECK(folder.text("003-c.md") == "(none)");
  CHECK(folder.leaves_nothing());
}

TEST_CASE("Publication.StaysWhenTheIndexKnowsIt") {
  Folder folder;
  put_three(folder, 7);
  auto next = publication_of(folder);
  CHECK(next.recover(7, pass_over));
  next.settle();
  CHECK(folder.text("001-a.md") == "new");
  CHECK(folder.text("002-b.md") == "(none)");
  CHECK(folder.text("002-renamed.md") == "new");
  CHECK(folder.text("003-c.md") == "born");
  CHECK(folder.leaves_nothing());
  CHECK_FALSE(publication_of(folder).recover(7, pass_over));
}

TEST_CASE("Publication.OfAnotherIndexStays") {
  Folder folder;
  put_three(folder, 7);
  CHECK(publication_of(folder, "made anew").recover(0, pass_over));
  CHECK(folder.text("001-a.md") == "new");
  CHECK(folder.text("003-c.md") == "born");
}

TEST_CASE("Publication.LeavesWhatSomebodyChangedSince") {
  Folder folder;
  put_three(folder, 7);
  folder.write("001-a.md", "theirs");
  folder.write("003-c.md", "theirs");
  publication_of(folder).recover(6, pass_over);
  CHECK(folder.text("001-a.md") == "theirs");
  CHECK(folder.text("002-b.md") == "old");
  CHECK(folder.text("003-c.md") == "theirs");
  CHECK(folder.leaves_nothing());
}

TEST_CASE("Publication.TakesBackTheLastUnitsOfABatch") {
  Folder folder;
  folder.write("001-a.md", "old");
  auto publication = publication_of(folder);
  for (std::int64_t n = 1; n <= 3; ++n) {
    std::vector files{folder.change("001-a.md", "001-a.md", "unit " + std::to_string(n))};
    REQUIRE(publication.put(n, files));
  }
  publication.take_back(1);
  CHECK(folder.text("001-a.md") == "unit 1");
  publication.take_back(0);
  CHECK(folder.text("001-a.md") == "old");
  CHECK(folder.leaves_nothing());
  CHECK_FALSE(publication_of(folder).recover(0, pass_over));
}

TEST_CASE("Publication.RemovesNewFilesOfAProcessThatDiedEarly") {
  Folder folder;
  folder.write_new("task-0", "left");
  folder.write_new("task-other-0", "of another index");
  publication_of(folder).recover(0, pass_over);
  CHECK_FALSE(folder.has_new("task-0"));
  CHECK(folder.has_new("task-other-0"));
}
