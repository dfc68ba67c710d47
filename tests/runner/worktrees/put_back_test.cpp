#include "runner/worktrees/put_back.hpp"

#include "runner/worktrees/git_place.hpp"
#include "runner/worktrees/workspace.hpp"

using namespace andon;
using namespace andon::runner;
using test::at;
using test::GitPlace;

namespace {

/// A work tree whose planning run is about to start.
struct PlanningPlace : GitPlace {
  WorkspaceSpec spec = workspace("7-cart");
  std::filesystem::path tree{spec.directory};
  core::WorkPlace place = prepare(spec).value();
  RunStart noted = note_run(spec, place, use_for(spec)).value();

  std::string back(std::vector<std::string> const& kept_out = {}) {
    return put_tree_back(place, noted, use_for(spec), kept_out);
  }
  bool is_as_before() {
    return at(tree, "git status --porcelain") == "" && at(tree, "git rev-parse HEAD") == head() &&
           at(tree, "git symbolic-ref --short HEAD") == "andon/7-cart";
  }
};

}  // namespace

TEST_CASE("PutBack.RemovesCommitsChangesAndNewFiles") {
  PlanningPlace place;
  at(place.tree,
     "echo two >a.txt; git commit -qam early; echo three >a.txt; mkdir deep; echo new >deep/file");
  CHECK(place.back() == "");
  CHECK(place.is_as_before());
  CHECK_FALSE(std::filesystem::exists(place.tree / "deep"));
}

TEST_CASE("PutBack.ReturnsFromAnotherBranch") {
  PlanningPlace place;
  at(place.tree, "git checkout -qb elsewhere; echo two >a.txt; git commit -qam early");
  CHECK(place.back() == "");
  CHECK(place.is_as_before());
}

TEST_CASE("PutBack.RemovesNestedRepositories") {
  PlanningPlace place;
  at(place.tree, "git init -q nested; echo hidden >nested/file");
  CHECK(place.back() == "");
  CHECK_FALSE(std::filesystem::exists(place.tree / "nested"));
}

TEST_CASE("PutBack.SeesChangesThatTheIndexHides") {
  PlanningPlace place;
  at(place.tree, "git update-index --assume-unchanged a.txt; echo hidden >a.txt");
  CHECK(place.back() == "");
  CHECK(at(place.tree, "cat a.txt") == at(place.repo, "git show HEAD:a.txt"));
}

TEST_CASE("PutBack.IgnoresTheRulesThatTheAgentWrote") {
  PlanningPlace place;
  at(place.tree,
     "echo secret >.gitignore; echo hidden >secret; mkdir d; echo '*' >d/.gitignore; echo x >d/e");
  CHECK(place.back() == "");
  CHECK_FALSE(std::filesystem::exists(place.tree / "secret"));
  CHECK_FALSE(std::filesystem::exists(place.tree / "d" / "e"));
}

TEST_CASE("PutBack.LeavesTheFilesThatAndonCopied") {
  PlanningPlace place;
  at(place.tree, "echo key >.env");
  CHECK(place.back({".env"}) == "");
  CHECK(std::filesystem::exists(place.tree / ".env"));
}

TEST_CASE("PutBack.SaysThatItKnowsNoCommit") {
  PlanningPlace place;
  place.noted.head.clear();
  CHECK(place.back() != "");
}
