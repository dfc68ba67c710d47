// Work trees that earlier versions made: linked work trees of the person's repository.

#include "runner/worktrees/linked_tree.hpp"

#include "runner/dispatch/conclusion_job.hpp"
#include "runner/git/work_place.hpp"
#include "runner/worktrees/diff.hpp"
#include "runner/worktrees/git_place.hpp"
#include "runner/worktrees/own_repository.hpp"
#include "runner/worktrees/run_start.hpp"
#include "runner/worktrees/run_work.hpp"
#include "runner/worktrees/work_trees.hpp"

using namespace andon;
using namespace andon::runner;
using test::at;
using test::GitPlace;

namespace fs = std::filesystem;

namespace {

/// A linked work tree of task 7 with one commit, as an earlier version made and recorded it.
struct Linked : GitPlace {
  fs::path tree;
  WorkspaceSpec spec;
  core::Board board;

  Linked() {
    board.name = "shop";
    board.repo = repo;
    tree = data.root / "work" / "shop" / "7-cart";
    spec = {.repo = clone().repo(),
            .directory = tree,
            .branch = "andon/7-cart",
            .origin = repo,
            .data = data.root};
    fs::create_directories(tree.parent_path());
    at(repo, "git worktree add -q -b andon/7-cart " + tree.native() + " main");
    at(tree, "echo two >a.txt; git commit -qam work");
    record();
  }
  void record() { spec.place = *find_work_place(tree); }
  std::string trouble() const {
    auto const done = prepare(spec);
    return done ? "" : done.error().message;
  }
  /// What a person sees of the tree in the repository.
  std::string traces() const {
    return at(repo,
              "git worktree list --porcelain | grep -c ^worktree; git branch --list 'andon/*' --format "
              "'%(refname:short)'; ls .git/worktrees 2>/dev/null || true");
  }
  service::WorkTree listed() const {
    service::WorkTree out;
    out.board = "shop";
    out.task = 7;
    out.directory = tree;
    out.branch = "andon/7-cart";
    out.unlanded = 1;
    return out;
  }
};

constexpr char kTraces[] = "2\nandon/7-cart\n7-cart";

}  // namespace

TEST_CASE("LinkedTree.IsTakenOverWithItsWork") {
  Linked place;
  at(place.tree,
     "echo staged >b.txt; echo new >new.txt; git add .; echo changed >a.txt; echo loose >loose.txt; rm -f "
     "gone; ln -s a.txt link; chmod +x loose.txt");
  auto const commit = at(place.tree, "git rev-parse HEAD");
  REQUIRE(place.trouble() == "");
  CHECK(is_own_repository(*find_work_place(place.tree)));
  CHECK(at(place.tree, "git rev-parse HEAD; git symbolic-ref --short HEAD; git log --format=%s") ==
        commit + "\nandon/7-cart\nwork\nfirst");
  CHECK(at(place.tree, "cat a.txt b.txt new.txt loose.txt; readlink link; git status --porcelain") ==
        "changed\nstaged\nnew\nloose\na.txt\n M a.txt\n M b.txt\n?? link\n?? loose.txt\n?? new.txt");
  CHECK(place.traces() == "1");
  CHECK(at(place.repo, "git fsck --no-dangling 2>&1; git status --porcelain; git stash list") == "");
  // The next attempt goes on, also when the record of the tree is the former one.
  CHECK(place.trouble() == "");
  place.record();
  CHECK(place.trouble() == "");
  CHECK(at(place.tree, "git rev-parse HEAD; cat loose.txt") == commit + "\nloose");
}

TEST_CASE("LinkedTree.IsForgottenAfterAProcessWasKilled") {
  Linked place;
  REQUIRE(place.clone().refresh());
  auto const repository = open_repository(place.clone().repo());
  REQUIRE(repository);
  auto const head = at(place.tree, "git rev-parse HEAD");
  REQUIRE(renew_own_repository(*repository, {place.tree, "andon/7-cart", head, place.repo}));
  fs::create_directories(place.tree.parent_path() / ".new-7-cart" / ".git");
  CHECK(place.traces() == kTraces);
  REQUIRE(place.trouble() == "");
  CHECK(place.traces() == "1");
  CHECK_FALSE(fs::exists(place.tree.parent_path() / ".new-7-cart"));
}

TEST_CASE("LinkedTree.ThatCannotBeTakenOverStaysAsItIs") {
  struct Row {
    std::string_view script;
    std::string_view says;
  };
  for (auto const& row : {Row{"git checkout -qb side main; echo side >a.txt; git commit -qam side; git "
                              "checkout -q andon/7-cart; "
                              "git merge -q side >/dev/null || true",
                              "a merge or rebase is under way"},
                          Row{"git checkout -qb side main; echo side >a.txt; git commit -qam side; git "
                              "checkout -q andon/7-cart; "
                              "git rebase -q side >/dev/null 2>&1 || true",
                              "a merge or rebase is under way"},
                          Row{"git checkout -q --detach", "it is on no branch"},
                          Row{"git checkout -qb mine", "it is on the branch mine, which is not the task's"},
                          Row{"git checkout -qb andon/8-other",
                              "it is on the branch andon/8-other, which is not the task's"}}) {
    Linked place;
    INFO(row.script);
    at(place.tree, std::string{row.script});
    auto const state = [&] { return at(place.tree, "git status; git for-each-ref; cat a.txt"); };
    auto const before = state();
    auto const said = place.trouble();
    CAPTURE(said);
    CHECK(said.find(row.says) != std::string::npos);
    CHECK(said.find("clean --force") == std::string::npos);
    CHECK(state() == before);
    CHECK(at(place.repo, "git worktree list --porcelain | grep -c ^worktree") == "2");
  }
}

TEST_CASE("LinkedTree.LosesNoCommitOfASubmodule") {
  Linked place;
  at(place.scratch.path(), "git init -q -b main lib; cd lib; echo one >l.txt; git add .; git commit -qm lib");
  at(place.tree, "git -c protocol.file.allow=always submodule --quiet add " +
                     (place.scratch / "lib").native() +
                     " lib; git commit -qm lib; cd lib; echo two >l.txt; git commit -qam own");
  auto const said = place.trouble();
  CAPTURE(said);
  CHECK(said.find("worktrees/7-cart/modules; push what must stay") != std::string::npos);
  CHECK(at(place.tree / "lib", "git log -1 --format=%s") == "own");
  // The advice helps.
  at(place.tree, "git submodule --quiet deinit --all --force; mv " + place.repo.native() +
                     "/.git/worktrees/7-cart/modules " + (place.scratch / "kept").native());
  CHECK(place.trouble() == "");
  CHECK(at(place.tree, "git status --porcelain") == "");
  CHECK(place.traces() == "1");
}

TEST_CASE("LinkedTree.WorkOfARunThatLivedDuringTheUpgradeIsKept") {
  Linked place;
  SUBCASE("in an ordinary repository") {}
  SUBCASE("in one that borrows objects") {
    at(place.scratch.path(),
       "git clone -q --bare repo other; echo $PWD/other/objects >>repo/.git/objects/info/alternates");
  }
  keep_start(place.data.repositories(), 7,
             {place.head(), "main", place.head(), "andon/7-cart", "andon/7-cart"});
  core::RunGuard guard;
  guard.place = *place.spec.place;
  auto const run_dir = place.scratch / "run";
  fs::create_directories(run_dir);
  ConclusionJob const job{run_dir, {.id = 7, .guard = guard, .repo = place.repo}, place.data};
  auto const conclusion = job.result(std::chrono::seconds{30});
  REQUIRE(conclusion);
  CHECK(conclusion->ending.branch == "andon/7-cart");
  CHECK(conclusion->ending.result == "");
  CHECK(conclusion->ending.head == at(place.tree, "git rev-parse HEAD"));
  CHECK(conclusion->ending.commits.size() == 1);
  CHECK(place.kept("refs/andon/runs/7") == conclusion->ending.head);
  CHECK(place.kept("andon/7-cart") == conclusion->ending.head);
  CHECK(place.traces() == kTraces);
  REQUIRE(place.trouble() == "");
  CHECK(at(place.tree, "git rev-parse HEAD") == conclusion->ending.head);
  CHECK(place.traces() == "1");
}

TEST_CASE("LinkedTree.IsOpenedBeforeItIsTakenOver") {
  Linked place;
  auto const opened = open_work_tree(place.tree, place.board, place.data, {});
  REQUIRE(opened);
  CHECK(opened->place() == *place.spec.place);
}

TEST_CASE("LinkedTree.GoesWithItsBranchOnlyWhenNothingIsLost") {
  Linked place;
  auto tree = place.listed();
  bool is_forced = false;
  bool has_own_branch = false;
  std::string left = "1\nandon/7-cart";
  SUBCASE("work that has not landed") {}
  SUBCASE("such work, forced") {
    is_forced = true;
    left = "1";
  }
  SUBCASE("landed work") {
    tree.state = service::WorkState::landed;
    left = "1";
  }
  SUBCASE("a branch that is not the task's") {
    at(place.tree, "git checkout -q -b mine; git branch -qD andon/7-cart");
    has_own_branch = true;
    is_forced = true;
    left = "1";
  }
  REQUIRE(remove_work_tree(place.data, place.board, tree, is_forced, {}));
  CHECK_FALSE(fs::exists(place.tree));
  CHECK(place.traces() == left);
  CHECK(at(place.repo, "git branch --list mine") == (has_own_branch ? "  mine" : ""));
}

TEST_CASE("LinkedTree.WhoseFilesAreGoneComesBackFromItsBranch") {
  Linked place;
  fs::remove_all(place.tree);
  REQUIRE(place.trouble() == "");
  CHECK(at(place.tree, "git symbolic-ref --short HEAD; cat a.txt") == "andon/7-cart\ntwo");
}

TEST_CASE("LinkedTree.ItsKeptCommitsAreInTheClone") {
  Linked place;
  auto const commit = at(place.tree, "git rev-parse HEAD");
  at(place.repo, "git update-ref refs/andon/runs/5 " + commit + "; git worktree remove --force " +
                     place.tree.native() + "; git branch -qD andon/7-cart; git gc -q --prune=now");
  REQUIRE(place.clone().refresh_for(commit));
  core::Run run;
  run.id = 5;
  run.base = place.head();
  run.head = commit;
  auto const diff = diff_of({run, place.spec.repo});
  REQUIRE(diff);
  CHECK(diff->files.size() == 1);
  CHECK(place.clone().land("main", commit, place.head()).value_or("") == "");
  CHECK(place.head() == commit);
}

TEST_CASE("LinkedTree.OfACloneIsTakenOver") {
  GitPlace place;
  auto const url = "file://" + place.repo.native();
  Clone const clone{url, place.data, {}};
  REQUIRE(clone.refresh());
  auto const tree = place.work / "7-cart";
  fs::create_directories(place.work);
  at(clone.repo(), "git worktree add -q -b andon/7-cart " + tree.native() + " main");
  at(tree, "echo two >a.txt; git commit -qam work; echo draft >draft");
  WorkspaceSpec const spec{.repo = clone.repo(),
                           .directory = tree,
                           .branch = "andon/7-cart",
                           .place = *find_work_place(tree),
                           .origin = url,
                           .data = place.data.root};
  core::Board board;
  board.repo = url;
  CHECK(open_work_tree(tree, board, place.data, {}));
  auto const made = GitPlace::prepare(spec);
  REQUIRE(made);
  CHECK(is_own_repository(*made));
  CHECK(at(tree, "git log --format=%s; cat draft; git status --porcelain") == "work\nfirst\ndraft\n?? draft");
  CHECK(at(clone.repo(),
           "git worktree list --porcelain | grep -c ^worktree; git branch --list 'andon/*' "
           "--format '%(refname:short)'") == "1\nandon/7-cart");
}
