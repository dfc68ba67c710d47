#include "runner/worktrees/repository_list.hpp"

#include <algorithm>

#include "runner/worktrees/git_place.hpp"

using namespace andon;
using test::at;
using test::GitPlace;

namespace {

struct ListPlace : GitPlace {
  std::filesystem::path top = std::filesystem::canonical(scratch.path());
  runner::RepositoryRoots roots{.home = top, .data = top / "data"};

  core::Result<service::Repositories> list(std::filesystem::path const& path) const {
    return runner::list_repositories({path.native()}, roots, {});
  }
  std::string refusal(std::filesystem::path const& path) const {
    auto const found = list(path);
    return found ? std::string{} : found.error().message;
  }
};

std::vector<std::string> names_of(service::Repositories const& found) {
  std::vector<std::string> out;
  for (auto const& item : found.items) out.push_back(item.name + (item.repository ? "*" : ""));
  return out;
}

}  // namespace

TEST_CASE("RepositoryList.BeginsAtTheHomeDirectoryAndMarksRepositories") {
  ListPlace place;
  at(place.top, "mkdir -p plain .hidden data; touch file; ln -s plain link");
  auto const found = place.list({});
  REQUIRE(found);
  CHECK(found->path == place.top);
  CHECK(found->parent == place.top.parent_path());
  CHECK_FALSE(found->repository);
  CHECK(names_of(*found) == std::vector<std::string>{"plain", "repo*"});
}

TEST_CASE("RepositoryList.SaysWhetherABoardCanWorkInADirectory") {
  ListPlace place;
  auto const good = place.list(place.top / "repo");
  REQUIRE(good);
  CHECK(good->repository);
  CHECK(good->default_branch == "main");
  at(place.top, "git init -q empty; mkdir plain");
  auto const empty = place.list(place.top / "empty");
  REQUIRE(empty);
  CHECK_FALSE(empty->repository);
  CHECK(empty->problem.contains("has no commit to start from"));
  auto const plain = place.list(place.top / "plain");
  REQUIRE(plain);
  CHECK_FALSE(plain->repository);
  CHECK(plain->problem.empty());
}

TEST_CASE("RepositoryList.RefusesWhatIsHiddenOrBelongsToTheSystemOrToAndon") {
  ListPlace place;
  at(place.top, "mkdir -p .hidden/repo data/work; ln -s .hidden link");
  CHECK(place.refusal(place.top / ".hidden/repo").contains("is hidden"));
  CHECK(place.refusal(place.top / "link").contains("is hidden"));
  CHECK(place.refusal(place.top / "data/work").contains("belongs to Andon"));
  CHECK(place.refusal("/proc/self").contains("belongs to the system"));
  CHECK(place.refusal(place.top / "plain/../../etc").contains("is not there"));
  CHECK(place.refusal("repo").contains("absolute path"));
}

TEST_CASE("RepositoryList.HasABound") {
  ListPlace place;
  at(place.top, "mkdir many; cd many; seq 600 | xargs mkdir");
  auto const found = place.list(place.top / "many");
  REQUIRE(found);
  CHECK(found->items.size() == 500);
  CHECK(found->more);
}
