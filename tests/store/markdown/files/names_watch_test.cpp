#include "store/markdown/index/names_watch.hpp"

#include <fstream>

#include <doctest/doctest.h>

#include "store/markdown/index/publication.hpp"
#include "support/scratch.hpp"

using namespace andon;
using namespace andon::store::markdown;

namespace {

constexpr core::Instant kNow{core::Duration{1'700'000'000'000}};

/// A folder of tasks whose names are watched.
class Watched {
 public:
  Watched() : folder_((std::filesystem::create_directory(scratch_ / "tasks"), scratch_.path())) {
    folder_.open_tasks("tasks");
    watch_.begin(folder_.tasks());
  }
  /// Puts a file in its place as a command does.
  std::vector<NewFile> put(std::string const& name) const {
    std::vector files{NewFile{.name = name, .text = "own"}};
    REQUIRE(publish_tasks(folder_, files));
    return files;
  }
  void write_from_outside(std::string const& name) const {
    std::ofstream{scratch_ / "tasks" / name} << "foreign";
  }
  void begin() { watch_.begin(folder_.tasks()); }
  std::optional<Stamp> settle(std::vector<NewFile> const& written) {
    return watch_.settle(folder_.tasks(), written, kNow);
  }
  Stamp stamp() const { return folder_.tasks().look().stamp; }

 private:
  test::Scratch scratch_;
  BoardFolder folder_;
  NamesWatch watch_;
};

}  // namespace

TEST_CASE("NamesWatch.KnowsTheDirectoryAfterOwnFiles") {
  Watched watched;
  auto const first = watched.settle(watched.put("001-a.md"));
  REQUIRE(first);
  CHECK(*first == watched.stamp());
  auto const second = watched.settle(watched.put("002-b.md"));
  REQUIRE(second);
  CHECK(*second == watched.stamp());
}

TEST_CASE("NamesWatch.EveryLaterChangeShows") {
  Watched watched;
  auto const known = watched.settle(watched.put("001-a.md"));
  watched.write_from_outside("002-b.md");
  CHECK(known != watched.stamp());
}

TEST_CASE("NamesWatch.AForeignNameIsNotForgottenByTheNextWrite") {
  Watched watched;
  watched.write_from_outside("002-b.md");
  CHECK_FALSE(watched.settle(watched.put("001-a.md")));
  CHECK_FALSE(watched.settle(watched.put("003-c.md")));  // nobody has looked at 002-b.md yet
  watched.begin();
  CHECK(watched.settle(watched.put("004-d.md")));
}
