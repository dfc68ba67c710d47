#include "runner/worktrees/workspace.hpp"

#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <unistd.h>

#include "os/processes/process.hpp"
#include "runner/git/outlying_parts.hpp"
#include "runner/git/work_place.hpp"
#include "runner/worktrees/default_branch.hpp"
#include "runner/worktrees/diff.hpp"
#include "runner/worktrees/evidence.hpp"
#include "runner/worktrees/git_place.hpp"
#include "runner/worktrees/repository.hpp"
#include "runner/worktrees/run_start.hpp"
#include "runner/worktrees/run_work.hpp"

using namespace andon;
using namespace andon::runner;
using test::at;
using test::GitPlace;

namespace {

struct Place : GitPlace {
  WorkspaceSpec spec = workspace("7-cart");
  std::filesystem::path tree{spec.directory};

  /// As a run does; the next one is told what was made.
  std::string trouble() {
    auto const done = prepare(spec);
    if (!done) return done.error().message;
    spec.place = *done;
    spec.branch = at(spec.directory, "git symbolic-ref --short HEAD");
    return "";
  }
};

/// As the end of a run does.
RunWork record(Place const& place) {
  return record_work(place.spec, *place.spec.place, 911, {}, use_for(place.spec));
}

/// As the end of a run that said it is done.
RunWork settle(Place const& place) {
  return record_work(place.spec, *place.spec.place, 911, {}, use_for(place.spec), test::finished());
}

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
  record(place);
  std::filesystem::remove_all(place.tree);
  place.spec.directory = place.work / "7-basket";
  place.tree = place.spec.directory;
  REQUIRE(place.trouble() == "");
  CHECK(at(place.work / "7-basket", "git symbolic-ref --short HEAD; cat a.txt") == "andon/7-cart\ntwo");
}

TEST_CASE("Workspace.ADamagedRepositoryIsReplacedAndTheFilesStay") {
  for (auto const* damage : {"rm -rf .git", "rm .git/HEAD", "echo nonsense >.git/HEAD",
                             "rm -rf .git; git init -q", "rm -rf .git/refs .git/packed-refs",
                             "echo /etc >>.git/objects/info/alternates", "mkfifo .git/shallow"}) {
    Place place;
    INFO(damage);
    REQUIRE(place.trouble() == "");
    at(place.tree, "echo two >a.txt; git commit -qam work; echo draft >draft");
    record(place);
    at(place.tree, damage);
    REQUIRE(place.trouble() == "");
    CHECK(at(place.tree,
             "git symbolic-ref --short HEAD; git log --format=%s; cat draft; git status --porcelain") ==
          "andon/7-cart\nwork\nfirst\ndraft\n?? draft");
    CHECK(at(place.repo, "git status --porcelain; git for-each-ref --format='%(refname)'") ==
          "refs/heads/main");
  }
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
        Row{"mkdir -p work/7-cart; echo mine >work/7-cart/file", "holds no repository; look at it"},
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
  settle(place);
  CHECK(at(place.tree, "git status --porcelain") == "");
  CHECK(at(place.tree, "git log -1 --format='%an %s'") == "developer Fix the cart");
  auto const work = record(place);
  CHECK(work.base == place.head());
  CHECK(work.head == place.kept("andon/7-cart"));
  CHECK(work.head == place.kept("refs/andon/runs/911"));
  settle(place);
  CHECK(record(place).head == work.head);
}

TEST_CASE("Workspace.AnEarlierAttemptsBranchIsTakenUpWithoutItsTree") {
  Place place;
  REQUIRE(place.trouble() == "");
  at(place.tree, "echo two >a.txt; git commit -qam work");
  record(place);
  std::filesystem::remove_all(place.tree);
  REQUIRE(place.trouble() == "");
  CHECK(at(place.tree, "git symbolic-ref --short HEAD") == "andon/7-cart");
  CHECK(at(place.tree, "cat a.txt") == "two");
}

TEST_CASE("Evidence.WhatAnEarlierAttemptLeftIsNotCredited") {
  Place place;
  REQUIRE(place.trouble() == "");
  at(place.tree, "echo old >left.txt; echo old >a.txt");
  auto const before = uncommitted(*place.spec.place, place.tree);
  CHECK(before.size() == 2);
  CHECK(collect_evidence(*place.spec.place, place.tree, place.head(), before).files_changed == 0);
  at(place.tree, "echo newer >left.txt; echo new >mine.txt");
  CHECK(collect_evidence(*place.spec.place, place.tree, place.head(), before).files_changed == 2);
}

TEST_CASE("Workspace.ALockThatAnAgentLeftHoldsNoWorkBack") {
  Place place;
  REQUIRE(place.trouble() == "");
  at(place.tree, "echo two >a.txt; touch .git/index.lock");
  CHECK(settle(place).trouble == "");
  CHECK(at(place.tree, "git status --porcelain; git log -1 --format=%s") == "Fix the cart");
}

TEST_CASE("Workspace.ALockStaysWhileAnotherProcessHasTheIndexOpen") {
  Place place;
  REQUIRE(place.trouble() == "");
  auto const lock = place.tree / ".git/index.lock";
  os::Descriptor const file{::open(lock.c_str(), O_CREAT | O_RDONLY | O_CLOEXEC, 0600)};
  auto const other = os::spawn({.program = "/bin/sleep", .argv = {"sleep", "1000"}, .in = file.get()});
  at(place.tree, "echo two >a.txt");
  CHECK(settle(place).trouble == "");
  CHECK(std::filesystem::exists(lock));
  CHECK(place.kept("andon/7-cart:a.txt") != place.head("main:a.txt"));
  ::kill(other.pid, SIGKILL);
  os::reap(other.pid);
  CHECK(settle(place).trouble == "");
  CHECK_FALSE(std::filesystem::exists(lock));
}

TEST_CASE("Workspace.WorkThatGitCannotReadIsNamed") {
  struct Row {
    std::string_view script;
    std::string_view says;
  };
  for (auto const& row : {Row{"echo nonsense >.git/HEAD", "no commit that git can read"},
                          Row{"printf 'ref: refs/heads/none\\n' >.git/HEAD", "no commit that git can read"},
                          Row{"echo ../../repo/.git >.git/commondir", "has no meaning there"}}) {
    Place place;
    INFO(row.script);
    REQUIRE(place.trouble() == "");
    at(place.tree, "echo two >a.txt; git commit -qam work; " + std::string{row.script});
    CHECK(record(place).trouble.find(row.says) != std::string::npos);
    CHECK(at(place.repo, "git for-each-ref --format='%(refname)'; git status --porcelain") ==
          "refs/heads/main");
  }
}

TEST_CASE("Workspace.ABranchOfThePersonIsNotTheWork") {
  Place place;
  at(place.repo,
     "git branch unpushed; git checkout -q unpushed; git commit -q --allow-empty -m own; git checkout -q "
     "main");
  REQUIRE(place.trouble() == "");
  at(place.tree, "git symbolic-ref HEAD refs/remotes/origin/unpushed");
  auto const work = record(place);
  CHECK(work.branch == "");
  CHECK(work.trouble.find("which is not the task's") != std::string::npos);
}

TEST_CASE("Workspace.AMergeUnderWayIsNotCommitted") {
  Place place;
  REQUIRE(place.trouble() == "");
  at(place.repo, "echo main >a.txt; git commit -qam main");
  at(place.tree, "echo work >a.txt; git commit -qam work; git pull -q --no-rebase ../../repo main || true");
  auto const before = at(place.tree, "git rev-parse HEAD");
  CHECK(settle(place).trouble.find("a merge is not finished in its work tree") != std::string::npos);
  CHECK(at(place.tree, "git rev-parse HEAD") == before);
}

TEST_CASE("Workspace.ADiffIsThereWhenTreeAndBranchAreGone") {
  Place place;
  REQUIRE(place.trouble() == "");
  at(place.tree, "echo two >a.txt; printf '\\000\\001' >blob; git add .; git commit -qm work");
  auto const work = record(place);
  std::filesystem::remove_all(place.tree);
  at(place.clone().repo(),
     "git branch -qD andon/7-cart; git reflog expire --expire=now --all; git gc -q --prune=now");
  core::Run run;
  run.id = 911;
  run.base = work.base;
  run.head = work.head;
  auto const diff = diff_of({run, place.spec.repo});
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
  at(place.tree, "seq 1600000 >big; git add .; git commit -qm work");
  auto const work = record(place);
  core::Run run;
  run.base = work.base;
  run.head = work.head;
  auto const diff = diff_of({run, place.spec.repo});
  REQUIRE(diff.has_value());
  CHECK(diff->truncated);
  CHECK(diff->diff.size() < (8U << 20U) + 100);
  CHECK(diff->diff.ends_with("more bytes)"));
  run.head = std::string(40, 'a');
  CHECK(diff_of({run, place.spec.repo}).error().code == core::Code::kNotFound);
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
  settle(place);
  collect_evidence(*place.spec.place, place.tree, place.head());
  REQUIRE(place.trouble() == "");
  CHECK(at(place.tree, "git show andon/7-cart:a.txt; git ls-tree --name-only andon/7-cart") ==
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
  write(place.tree / "c.txt", "two\n");
  auto const work = settle(place);
  REQUIRE(work.left_out.size() == 2);
  CHECK(work.left_out[0].path == "a.txt");
  CHECK(work.left_out[0].reason.find("its filter \"evil\" is not run by Andon") == 0);
  CHECK(work.left_out[1].reason.find("its filter \"a=b\"") == 0);
  core::Run run;
  run.base = work.base;
  run.head = work.head;
  auto const diff = diff_of({run, place.spec.repo});
  REQUIRE(diff.has_value());
  CHECK(diff->files.size() == 1);
  CHECK(diff->diff.find("+two") != std::string::npos);
  CHECK_FALSE(place.was_sprung());
}

TEST_CASE("Workspace.GitNeverLeavesTheTreeThatWasMade") {
  struct Row {
    std::string_view what;
    std::string_view script;  ///< of an agent in its tree
  };
  for (auto const& row :
       {Row{"core.worktree elsewhere",
            "git config extensions.worktreeConfig true; git config --worktree core.worktree \"$SECRET\""},
        Row{"core.worktree of all", "git config core.worktree \"$SECRET\""},
        Row{"a link in its place", "cd ..; mv 7-cart away; ln -s \"$SECRET\" 7-cart"},
        Row{"another repository in its place", "cd ..; mv 7-cart away; cp -r \"$SECRET\" 7-cart"},
        Row{"a pointer to another repository", "rm -rf .git; echo \"gitdir: $SECRET/.git\" >.git"},
        Row{"another common directory", "echo \"$SECRET/.git\" >\"$(git rev-parse --git-dir)/commondir\""},
        Row{"an index that is a link",
            "d=$(git rev-parse --git-dir); mv \"$d/index\" \"$SECRET/index\"; ln -s \"$SECRET/index\" "
            "\"$d/index\""},
        Row{"a log that is a link",
            "d=$(git rev-parse --git-dir); ln -sf \"$SECRET/log\" \"$d/logs/HEAD\""}}) {
    Place place;
    INFO(row.what);
    auto const secret = place.scratch / "secret";
    std::filesystem::create_directories(secret);
    at(secret, "git init -q -b main; echo key >id; git add .; git commit -qm own; echo uncommitted >>id");
    REQUIRE(place.trouble() == "");
    write(place.tree / "work", "done\n");
    at(place.tree, "SECRET='" + secret.native() + "'; " + std::string{row.script});
    settle(place);
    record(place);
    CHECK(at(secret, "git log --all --format=%s; git status --porcelain id; cat id") ==
          "own\n M id\nkey\nuncommitted");
    CHECK_FALSE(std::filesystem::exists(secret / "log"));
    auto const objects =
        at(place.clone().repo(),
           "git -c core.worktree= cat-file --batch-all-objects --batch-check='%(objectname)' || true");
    auto const key = at(secret, "git hash-object id");
    CHECK(objects.find(key) == std::string::npos);
  }
}

TEST_CASE("Workspace.ABranchOfAnotherStoreIsNotTakenUp") {
  Place place;
  at(place.repo,
     "git branch andon/7-cart; git checkout -q andon/7-cart; echo poison >a.txt; git commit -qam poison; "
     "git checkout -q main");
  REQUIRE(place.trouble() == "");
  CHECK(at(place.tree, "git symbolic-ref --short HEAD; cat a.txt") == "andon/7-cart-2\none");
}

TEST_CASE("Workspace.ATreeThatSomebodyPreparedIsNotTakenUp") {
  Place place;
  at(place.repo, "mkdir -p ../work; git worktree add -q -b andon/7-cart ../work/7-cart main");
  CHECK(place.trouble().find("not the work tree that was made for the task") != std::string::npos);
}

TEST_CASE("Workspace.WhatGitWouldWaitForIsRefusedAtOnce") {
  for (auto const* file : {".git/config", ".git/HEAD", ".git/info/exclude"}) {
    Place place;
    INFO(file);
    at(place.repo, "rm -f " + std::string{file} + "; mkfifo " + file);
    CHECK(place.trouble().find("is no file") != std::string::npos);
  }
}

TEST_CASE("RunStart.IsKeptUntilTheRunIsOver") {
  Place place;
  REQUIRE(place.trouble() == "");
  auto const noted = note_run(place.spec, *place.spec.place, use_for(place.spec));
  REQUIRE(noted);
  CHECK(noted->tip == place.head());
  auto const folder = place.data.repositories();
  keep_start(folder, 7, *noted);
  CHECK(start_of(folder, 7).tip == noted->tip);
  CHECK(start_of(folder, 7).work_branch == "andon/7-cart");
  CHECK(start_of(folder, 7).default_branch == "main");
  forget_start(folder, 7);
  CHECK(start_of(folder, 7).tip.empty());
}

TEST_CASE("OutlyingParts.ALinkAmongTheObjectsIsFound") {
  Place place;
  auto const found = *find_work_place(place.repo);
  CHECK_FALSE(link_among_objects(found));
  at(place.repo, "ln -s /etc .git/objects/pack/pack-1.pack");
  CHECK(link_among_objects(found)->find("pack-1.pack is a link") != std::string::npos);
}
