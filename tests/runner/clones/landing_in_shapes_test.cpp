// Work lands in a repository whose files lie beside its git directory: a linked work tree and a submodule.

#include "runner/worktrees/git_place.hpp"
#include "runner/worktrees/repository.hpp"

using namespace andon;
using test::at;
using test::GitPlace;

namespace fs = std::filesystem;

namespace {

struct Shapes : GitPlace {
  fs::path top = fs::canonical(scratch.path());

  fs::path linked_tree() const {
    at(repo, "git worktree add -q -b feature ../linked");
    return top / "linked";
  }
  fs::path submodule() const {
    at(top,
       "git init -q -b main above; cd above; "
       "git -c protocol.file.allow=always submodule --quiet add \"$PWD/../repo\" part; git commit -qm first");
    return top / "above/part";
  }

  /// Lands one file; a sentence when it does not land.
  std::optional<std::string> land(fs::path const& at_path, std::string const& branch) const {
    runner::Clone const clone{at_path, data, {}};
    REQUIRE(clone.refresh());
    auto const tip = at(clone.repo(), "git rev-parse refs/heads/" + branch);
    auto const commit =
        at(clone.repo(), "export GIT_INDEX_FILE=landing; git read-tree " + tip +
                             "; blob=$(echo work | git hash-object -w --stdin); git update-index --add "
                             "--cacheinfo 100644,$blob,work.txt; git commit-tree -p " +
                             tip + " -m work $(git write-tree)");
    auto trouble = clone.obstacle();
    return trouble ? trouble : clone.land(branch, commit, tip);
  }
};

}  // namespace

TEST_CASE("LandingInShapes.ALinkedWorkTreeGetsItsOwnBranch") {
  Shapes const place;
  auto const tree = place.linked_tree();
  REQUIRE(runner::open_repository(tree)->default_branch == "feature");
  CHECK(place.land(tree, "feature") == std::nullopt);
  CHECK(at(tree, "cat work.txt; git status --porcelain; git log --format=%s -1 feature") == "work\nwork");
  CHECK(at(place.repo, "git log --format=%s -1 main; git status --porcelain") == "first");
}

TEST_CASE("LandingInShapes.ADetachedLinkedWorkTreeLandsInTheMainOne") {
  Shapes const place;
  auto const tree = place.linked_tree();
  at(tree, "git checkout -q --detach");
  REQUIRE(runner::open_repository(tree)->default_branch == "main");
  CHECK(place.land(tree, "main") == std::nullopt);
  CHECK(at(place.repo, "cat work.txt; git status --porcelain") == "work");
}

TEST_CASE("LandingInShapes.AChangeInTheMainWorkTreeHoldsTheLandingBack") {
  Shapes const place;
  auto const tree = place.linked_tree();
  at(tree, "git checkout -q --detach");
  at(place.repo, "echo mine >a.txt");
  CHECK(place.land(tree, "main").value_or("").contains("there are local changes on main in "));
}

TEST_CASE("LandingInShapes.AWorkTreeOfABareRepositoryGetsItsBranch") {
  Shapes const place;
  at(place.top, "git clone -q --bare repo bare.git; cd bare.git; git worktree add -q ../beside main");
  auto const tree = place.top / "beside";
  CHECK(place.land(tree, "main") == std::nullopt);
  CHECK(at(tree, "cat work.txt; git status --porcelain") == "work");
}

TEST_CASE("LandingInShapes.ASubmoduleGetsItsBranch") {
  Shapes const place;
  auto const part = place.submodule();
  CHECK(place.land(part, "main") == std::nullopt);
  CHECK(at(part, "cat work.txt; git status --porcelain") == "work");
}

TEST_CASE("LandingInShapes.ADetachedSubmoduleGetsItsDefaultBranch") {
  Shapes const place;
  auto const part = place.submodule();
  at(part, "git checkout -q --detach");
  CHECK(place.land(part, "main") == std::nullopt);
  CHECK(at(part, "git log --format=%s -1 main; git status --porcelain; ls") == "work\na.txt\nb.txt");
}
