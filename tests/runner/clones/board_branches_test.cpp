#include <algorithm>

#include "runner/clones/repository_examination.hpp"
#include "runner/worktrees/git_place.hpp"
#include "runner/worktrees/repository.hpp"
#include "runner/worktrees/run_work.hpp"

using namespace andon;
using namespace andon::runner;
using namespace andon::test;

namespace {

/// A repository on `develop`, which is one commit before `main`.
struct TwoBranches : GitPlace {
  TwoBranches() { at(repo, "git checkout -q -b develop; echo two >d.txt; git add .; git commit -qm second"); }

  Clone clone_on(std::string const& branch) const { return {repo, data, {}, {}, branch}; }
  WorkspaceSpec workspace_on(std::string const& branch, std::string const& name) const {
    auto spec = workspace(name);
    spec.board_branch = branch;
    return spec;
  }
  core::Result<core::WorkPlace> prepare_on(WorkspaceSpec const& spec) const {
    if (auto const fetched = clone_on(spec.board_branch).refresh(); !fetched)
      return std::unexpected(fetched.error());
    return prepare_workspace(spec, use_for(spec));
  }
  /// The first refusal, or else the notes, of the examination.
  service::RepositoryFinding examined(std::string const& branch, std::string const& prefix = "") const {
    auto const found = examine_repository({repo, branch, "", prefix}, data, {});
    REQUIRE(found);
    for (auto const kind : {service::RepositoryFindingKind::refused, service::RepositoryFindingKind::note})
      if (auto const at = std::ranges::find(found->findings, kind, &service::RepositoryFinding::kind);
          at != found->findings.end())
        return *at;
    return {};
  }
};

}  // namespace

TEST_CASE("BoardBranch.WorkBeginsAtItAndIsComparedWithIt") {
  TwoBranches place;
  auto const spec = place.workspace_on("develop", "7-cart");
  auto const tree = place.prepare_on(spec);
  REQUIRE(tree);
  CHECK(at(spec.directory, "git rev-parse HEAD") == place.head("develop"));
  CHECK(at(spec.directory, "git rev-parse develop origin/main") ==
        place.head("develop") + "\n" + place.head("main"));
  auto const noted = note_run(spec, *tree, use_for(spec));
  REQUIRE(noted);
  CHECK(noted->default_branch == "develop");
  at(spec.directory, "echo cart >cart.txt; git add .; git commit -qm cart");
  auto const work = record_work(spec, *tree, 7, *noted, use_for(spec));
  CHECK(work.trouble == "");
  CHECK(work.base == place.head("develop"));
  CHECK(work.files_changed == 1);
}

TEST_CASE("BoardBranch.TwoBoardsOfOneRepositoryHaveBranchesOfTheirOwn") {
  TwoBranches place;
  for (int round = 0; round < 2; ++round) {
    auto const name = std::to_string(7 + 2 * round);
    auto const first = place.workspace_on("develop", name + "-cart");
    auto const second = place.workspace_on("", std::to_string(8 + 2 * round) + "-pay");
    REQUIRE(place.prepare_on(first));
    REQUIRE(place.prepare_on(second));
    CHECK(at(first.directory, "git rev-parse HEAD") == place.head("develop"));
    CHECK(at(second.directory, "git rev-parse HEAD") == place.head("main"));
    CHECK(open_clone(first.repo, {}, "develop")->tip == place.head("develop"));
    CHECK(open_clone(first.repo)->tip == place.head("main"));
    at(place.repo, "echo " + name + " >d.txt; git commit -qam next");
  }
}

TEST_CASE("BoardBranch.LandsWhereItIsSet") {
  TwoBranches place;
  auto const clone = place.clone_on("develop");
  REQUIRE(clone.refresh());
  auto const main = place.head("main");
  auto const onto = place.head("develop");
  auto const joined = at(clone.repo(), "git commit-tree -p " + onto + " -m cart " + onto + "^{tree}");
  CHECK(clone.obstacle() == std::nullopt);
  CHECK(clone.land("develop", joined, onto) == std::nullopt);
  CHECK(place.head("develop") == joined);
  CHECK(place.head("main") == main);
  CHECK(at(place.repo, "git status --porcelain") == "");
}

TEST_CASE("BoardBranch.OneThatHasGoneRefusesARunWithASentence") {
  TwoBranches place;
  auto const spec = place.workspace_on("develop", "7-cart");
  REQUIRE(place.prepare_on(spec));
  at(place.repo, "git checkout -q main; git branch -D develop");
  auto const refused = place.prepare_on(spec);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message ==
        "the repository " + place.repo.native() +
            " has no branch develop; it has main. Set another with --branch, or make "
            "this one there");
}

TEST_CASE("BoardBranch.IsCheckedWhenItIsSet") {
  TwoBranches place;
  CHECK(place.examined("develop").what == "");
  auto const refused = place.examined("trunk");
  CHECK(refused.field == "branch");
  CHECK(refused.effect.contains("it has develop, main"));
  auto const note = place.examined("");
  CHECK(note.what == "the branch develop is checked out");
  CHECK(note.effect.contains("lands there; the files here stay"));
  at(place.repo, "git checkout -q main");
  CHECK(place.examined("").what == "");
}

TEST_CASE("BranchPrefix.IsThatOfTheBoard") {
  TwoBranches place;
  auto spec = place.workspace("7-cart");
  spec.branch_prefix = "team/agents";
  auto tree = place.prepare_on(spec);
  REQUIRE(tree);
  CHECK(at(spec.directory, "git branch --show-current") == "team/agents/7-cart");
  auto const noted = note_run(spec, *tree, use_for(spec));
  REQUIRE(noted);
  at(spec.directory, "echo cart >cart.txt; git add .; git commit -qm cart");
  auto const work = record_work(spec, *tree, 7, *noted, use_for(spec));
  CHECK(work.trouble == "");
  CHECK(place.kept("team/agents/7-cart") == work.head);

  // Work of an earlier prefix goes on, also when its tree is gone.
  std::filesystem::remove_all(spec.directory);
  spec.branch = work.branch;
  spec.branch_prefix = "bots";
  REQUIRE(place.prepare_on(spec));
  CHECK(at(spec.directory, "git rev-parse HEAD") == work.head);
  CHECK(branch_of_task(spec.directory, "feature/7-cart", "bots") == "bots/7-cart");
}

TEST_CASE("BranchPrefix.IsRefusedWhereABranchHasItsName") {
  TwoBranches place;
  at(place.repo, "git checkout -q main; git branch andon");
  auto const refused = place.examined("");
  CHECK(refused.field == "branch_prefix");
  CHECK(refused.effect.contains("has a branch andon"));
  CHECK(refused.effect.contains("--branch-prefix"));
  CHECK(place.examined("", "andon/bots").field == "branch_prefix");
  CHECK(place.examined("", "agents").what == "");

  auto spec = place.workspace("7-cart");
  auto const run = place.prepare_on(spec);
  REQUIRE_FALSE(run);
  CHECK(run.error().message.contains("--branch-prefix"));
  spec.branch_prefix = "agents";
  CHECK(place.prepare_on(spec));
}
