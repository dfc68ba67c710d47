#include "runner/workspace.hpp"

#include <fstream>

#include "git_place.hpp"
#include "runner/diff.hpp"
#include "runner/repository.hpp"

using namespace andon;
using namespace andon::runner;
using test::at;
using test::GitPlace;

namespace {

struct Place : GitPlace {
  WorkspaceSpec spec{repo, work / "7-cart"};
  std::filesystem::path tree{spec.directory};

  std::string trouble() const {
    auto const done = prepare_workspace(spec, 7);
    return done ? "" : done.error().message;
  }
};

void write(std::filesystem::path const& file, std::string_view text) { std::ofstream{file} << text; }

}  // namespace

TEST_CASE("Workspace.ATaskGetsATreeAndABranchOfItsOwn") {
  Place place;
  REQUIRE(place.trouble() == "");
  CHECK(at(place.tree, "git symbolic-ref --short HEAD") == "andon/7-cart");
  CHECK(at(place.tree, "git rev-parse HEAD") == place.head());
  CHECK(std::filesystem::exists(place.tree / "a.txt"));
  CHECK(at(place.repo, "git status --porcelain") == "");
}

TEST_CASE("Workspace.TheNextAttemptGoesOnWhereTheLastStopped") {
  Place place;
  REQUIRE(place.trouble() == "");
  write(place.tree / "draft", "half");
  at(place.tree, "echo two >a.txt; git commit -qam work; touch \"$(git rev-parse --git-dir)/index.lock\"");
  REQUIRE(place.trouble() == "");
  CHECK(at(place.tree, "cat a.txt draft; git status --porcelain") == "two\nhalf?? draft");
}

TEST_CASE("Workspace.ARemovedTreeComesBackOnItsBranchWhateverItsTitleIsNow") {
  Place place;
  REQUIRE(place.trouble() == "");
  at(place.tree, "echo two >a.txt; git commit -qam work");
  std::filesystem::remove_all(place.tree);
  place.spec.directory = place.work / "7-basket";
  REQUIRE(place.trouble() == "");
  CHECK(at(place.work / "7-basket", "git symbolic-ref --short HEAD; cat a.txt") == "andon/7-cart\ntwo");
}

TEST_CASE("Workspace.ATreeWithoutWorkStartsFromTheDefaultBranchAsItIsNow") {
  Place place;
  REQUIRE(place.trouble() == "");
  at(place.repo, "echo three >a.txt; git commit -qam later");
  REQUIRE(place.trouble() == "");
  CHECK(at(place.tree, "cat a.txt") == "three");
}

TEST_CASE("Workspace.WhatCannotBeWorkedInIsRefusedWithAReason") {
  struct Row {
    std::string_view script;
    std::string_view says;
  };
  for (auto const& row :
       {Row{"rm -rf repo", "is not there"}, Row{"rm -rf repo/.git", "cannot be read by git"},
        Row{"rm -rf repo; git init -q --bare repo", "is bare"},
        Row{"rm -rf repo; git init -q repo", "has no commit"},
        Row{"echo nonsense >repo/.git/HEAD", "cannot be read by git"},
        Row{"mkdir elsewhere; git -C repo config core.worktree ../../elsewhere", "has its files elsewhere"},
        Row{"git -C repo checkout -q --detach; git -C repo branch -qD main", "no default branch"},
        Row{"mkdir -p work/7-cart; echo mine >work/7-cart/file", "no work tree of that repository"},
        Row{"mkdir -p work; ln -s /etc work/7-cart", "no directory"}}) {
    Place place;
    at(place.scratch.path(), std::string{row.script});
    INFO(row.script);
    CHECK(place.trouble().find(row.says) != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(place.work / "7-cart" / "a.txt"));
  }
}

TEST_CASE("Workspace.TheDefaultBranchIsTheRemotesElseMainElseWhatIsCheckedOut") {
  Place place;
  at(place.repo, "git checkout -qb topic");
  CHECK(open_repository(place.repo)->default_branch == "main");
  at(place.repo, "git branch -qm main trunk");
  CHECK(open_repository(place.repo)->default_branch == "topic");
  at(place.repo,
     "git update-ref refs/remotes/origin/trunk HEAD; "
     "git symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/trunk");
  CHECK(open_repository(place.repo)->default_branch == "trunk");
}

TEST_CASE("Workspace.WhatAnAgentLeavesIsCommittedAndKeptUnderItsRun") {
  Place place;
  REQUIRE(place.trouble() == "");
  at(place.tree, "echo two >a.txt; echo new >'new file'; rm b.txt");
  commit_leftovers(place.spec, 7, "developer");
  CHECK(at(place.tree, "git status --porcelain") == "");
  CHECK(at(place.tree, "git log -1 --format='%an %s'") == "developer Keep what was left uncommitted on #7");
  auto const work = record_work(place.spec, 911);
  CHECK(work.base == place.head());
  CHECK(work.head == place.head("andon/7-cart"));
  CHECK(work.head == place.head("refs/andon/runs/911"));
  commit_leftovers(place.spec, 7, "developer");
  CHECK(record_work(place.spec, 911).head == work.head);
}

TEST_CASE("Workspace.AMergeUnderWayIsNotCommitted") {
  Place place;
  REQUIRE(place.trouble() == "");
  at(place.repo, "echo main >a.txt; git commit -qam main");
  at(place.tree, "echo work >a.txt; git commit -qam work; git merge main || true");
  auto const before = place.head("andon/7-cart");
  commit_leftovers(place.spec, 7, "developer");
  CHECK(place.head("andon/7-cart") == before);
}

TEST_CASE("Workspace.ADiffIsThereWhenTreeAndBranchAreGone") {
  Place place;
  REQUIRE(place.trouble() == "");
  at(place.tree, "echo two >a.txt; printf '\\000\\001' >blob; git add .; git commit -qm work");
  auto const work = record_work(place.spec, 911);
  at(place.repo, "git worktree remove --force '" + place.tree.native() +
                     "'; git branch -qD andon/7-cart; "
                     "git reflog expire --expire=now --all; git gc -q --prune=now");
  core::Run run;
  run.id = 911;
  run.base = work.base;
  run.head = work.head;
  auto const diff = diff_of({run, place.repo});
  REQUIRE(diff.has_value());
  CHECK(diff->commits == std::vector<std::string>{work.head});
  REQUIRE(diff->files.size() == 2);
  CHECK(diff->files[0].path == "a.txt");
  CHECK(diff->files[0].added == 1);
  CHECK(diff->files[1].binary);
  CHECK(diff->diff.find("-one\n+two\n") != std::string::npos);
  CHECK_FALSE(diff->truncated);
}

TEST_CASE("Workspace.ALargeDiffIsCutVisibly") {
  Place place;
  REQUIRE(place.trouble() == "");
  at(place.tree, "seq 400000 >big; git add .; git commit -qm work");
  auto const work = record_work(place.spec, 911);
  core::Run run;
  run.base = work.base;
  run.head = work.head;
  auto const diff = diff_of({run, place.repo});
  REQUIRE(diff.has_value());
  CHECK(diff->truncated);
  CHECK(diff->diff.size() < (1U << 20U) + 100);
  CHECK(diff->diff.ends_with("more bytes)"));
  run.head = std::string(40, 'a');
  CHECK(diff_of({run, place.repo}).error().code == core::Code::kNotFound);
}

TEST_CASE("Workspace.NothingANestedRepositoryConfiguresIsRun") {
  Place place;
  REQUIRE(place.trouble() == "");
  auto const trap = "touch '" + place.marker().native() + "'; cat";
  for (auto const* name : {"known", "made"})
    at(place.tree,
       "git init -q " + std::string{name} + "; cd " + name +
           "; echo one >f; echo 'f filter=evil' >.gitattributes; git add .; git commit -qm nested");
  at(place.tree, "git -c advice.addEmbeddedRepo=false add known; git commit -qm known");
  for (auto const* name : {"known", "made"})
    at(place.tree / name, "git config core.fsmonitor \"" + trap + "\"; git config filter.evil.clean \"" +
                              trap + "\"; git config filter.evil.process \"" + trap + "\"; echo two >f");
  write(place.tree / "a.txt", "two\n");
  commit_leftovers(place.spec, 7, "developer");
  collect_evidence(place.tree, place.head());
  REQUIRE(place.trouble() == "");
  CHECK(at(place.repo, "git show andon/7-cart:a.txt; git ls-tree --name-only andon/7-cart") ==
        "two\na.txt\nb.txt\nknown");
  CHECK_FALSE(place.was_sprung());
}

TEST_CASE("Workspace.NothingTheRepositoryConfiguresIsRun") {
  Place place;
  place.set_traps();
  REQUIRE(place.trouble() == "");
  REQUIRE(place.trouble() == "");
  write(place.tree / "a.txt", "two\n");
  write(place.tree / "b.txt", "two\n");
  commit_leftovers(place.spec, 7, "developer");
  auto const work = record_work(place.spec, 911);
  core::Run run;
  run.base = work.base;
  run.head = work.head;
  auto const diff = diff_of({run, place.repo});
  REQUIRE(diff.has_value());
  CHECK(diff->files.size() == 2);
  CHECK(diff->diff.find("+two") != std::string::npos);
  CHECK_FALSE(place.was_sprung());
}
