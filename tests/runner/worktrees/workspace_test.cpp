#include "runner/worktrees/workspace.hpp"

#include <fstream>
#include <unistd.h>

#include "runner/worktrees/default_branch.hpp"
#include "runner/worktrees/diff.hpp"
#include "runner/worktrees/evidence.hpp"
#include "runner/worktrees/git_place.hpp"
#include "runner/worktrees/outlying_parts.hpp"
#include "runner/worktrees/repository.hpp"
#include "runner/worktrees/repository_records.hpp"
#include "runner/worktrees/run_work.hpp"
#include "runner/worktrees/work_place.hpp"

using namespace andon;
using namespace andon::runner;
using test::at;
using test::GitPlace;

namespace {

struct Place : GitPlace {
  WorkspaceSpec spec{repo, work / "7-cart"};
  std::filesystem::path tree{spec.directory};

  /// As a run does; the next one is told what was made.
  std::string trouble() {
    auto const done = prepare_workspace(spec, 7, use);
    if (!done) return done.error().message;
    spec.place = *done;
    spec.branch = at(spec.directory, "git symbolic-ref --short HEAD");
    return "";
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
  place.tree = place.spec.directory;
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
  commit_leftovers(*place.spec.place, 7, "developer", "Fix the cart");
  CHECK(at(place.tree, "git status --porcelain") == "");
  CHECK(at(place.tree, "git log -1 --format='%an %s'") == "developer Fix the cart");
  auto const work = record_work(place.spec.repo, *place.spec.place, 911);
  CHECK(work.base == place.head());
  CHECK(work.head == place.head("andon/7-cart"));
  CHECK(work.head == place.head("refs/andon/runs/911"));
  commit_leftovers(*place.spec.place, 7, "developer", "Fix the cart");
  CHECK(record_work(place.spec.repo, *place.spec.place, 911).head == work.head);
}

TEST_CASE("Workspace.AnEarlierAttemptsBranchIsTakenUpWithoutItsTree") {
  Place place;
  REQUIRE(place.trouble() == "");
  at(place.tree, "echo two >a.txt; git commit -qam work");
  at(place.repo, "git worktree remove --force '" + place.tree.native() + "'");
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

TEST_CASE("Workspace.AMergeUnderWayIsNotCommitted") {
  Place place;
  REQUIRE(place.trouble() == "");
  at(place.repo, "echo main >a.txt; git commit -qam main");
  at(place.tree, "echo work >a.txt; git commit -qam work; git merge main || true");
  auto const before = place.head("andon/7-cart");
  commit_leftovers(*place.spec.place, 7, "developer", "Fix the cart");
  CHECK(place.head("andon/7-cart") == before);
}

TEST_CASE("Workspace.ADiffIsThereWhenTreeAndBranchAreGone") {
  Place place;
  REQUIRE(place.trouble() == "");
  at(place.tree, "echo two >a.txt; printf '\\000\\001' >blob; git add .; git commit -qm work");
  auto const work = record_work(place.spec.repo, *place.spec.place, 911);
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
  at(place.tree, "seq 1600000 >big; git add .; git commit -qm work");
  auto const work = record_work(place.spec.repo, *place.spec.place, 911);
  core::Run run;
  run.base = work.base;
  run.head = work.head;
  auto const diff = diff_of({run, place.repo});
  REQUIRE(diff.has_value());
  CHECK(diff->truncated);
  CHECK(diff->diff.size() < (8U << 20U) + 100);
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
  commit_leftovers(*place.spec.place, 7, "developer", "Fix the cart");
  collect_evidence(*place.spec.place, place.tree, place.head());
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
  commit_leftovers(*place.spec.place, 7, "developer", "Fix the cart");
  auto const work = record_work(place.spec.repo, *place.spec.place, 911);
  core::Run run;
  run.base = work.base;
  run.head = work.head;
  auto const diff = diff_of({run, place.repo});
  REQUIRE(diff.has_value());
  CHECK(diff->files.size() == 2);
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
        Row{"a pointer to another repository", "echo \"gitdir: $SECRET/.git\" >.git"},
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
    commit_leftovers(*place.spec.place, 7, "developer", "Fix the cart");
    record_work(place.repo, *place.spec.place, 911);
    CHECK(at(secret, "git log --all --format=%s; git status --porcelain id; cat id") ==
          "own\n M id\nkey\nuncommitted");
    CHECK_FALSE(std::filesystem::exists(secret / "log"));
    auto const objects =
        at(place.repo,
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

TEST_CASE("Workspace.NothingInTheRepositoryHoldsUpOtherTasks") {
  for (auto const* script :
       {"mkfifo .git/andon-worktrees.lock", "ln -s /dev/tty .git/andon-worktrees.lock", "mkfifo .git/lock"}) {
    Place place;
    INFO(script);
    at(place.repo, script);
    CHECK(place.trouble() == "");
  }
}

TEST_CASE("Workspace.TheWaitForATurnHasAnEnd") {
  Place place;
  RepositoryRecords const records{place.use.records, *find_work_place(place.repo)};
  auto const turn = records.take_turn();
  REQUIRE(turn);
  auto const refused = records.take_turn(core::Duration{0});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().find("process " + std::to_string(::getpid())) != std::string::npos);
}

TEST_CASE("RepositoryRecords.KeepTheRefsOfARunUntilItIsOver") {
  Place place;
  REQUIRE(place.trouble() == "");
  auto const noted = note_run(place.spec, *place.spec.place, 7, place.use);
  REQUIRE(noted);
  CHECK(noted->tip == place.head());
  CHECK(noted->refs.at("refs/heads/main") == place.head());
  RepositoryRecords const records{place.use.records, *find_work_place(place.repo)};
  CHECK(records.refs_of(7).tip == noted->tip);
  CHECK(records.refs_of(7).branch == "andon/7-cart");
  CHECK(records.refs_of(7).default_branch == "main");
  CHECK(records.refs_of(7).refs == noted->refs);
  records.forget_refs(7);
  CHECK(records.refs_of(7).refs.empty());
}

TEST_CASE("RefGuard.FindsWhoMovedARefByTheCommitItPointsTo") {
  struct Row {
    std::string_view what;
    std::string script;  ///< in the work tree, after a commit of the agent
    std::string_view says;
  };
  std::string const kPersonCommits =
      "(cd ../../repo; echo p >p.txt; git add p.txt; GIT_COMMITTER_EMAIL=ann@example.org git commit -qm "
      "person); ";
  for (auto const& row :
       {Row{"nobody", "true", ""}, Row{"an agent", "git update-ref refs/heads/main HEAD", "it was put back"},
        Row{"an agent, to an older commit of its own",
            "git update-ref refs/heads/main HEAD; echo three >a.txt; git commit -qam more",
            "it was put back"},
        Row{"an agent, the tag of a release", "git update-ref refs/tags/v1 HEAD", "it was put back"},
        Row{"an agent, its own branches", "git branch andon/7-cart-before", ""},
        Row{"an agent, what follows a remote", "git update-ref refs/remotes/origin/main HEAD", ""},
        Row{"a person", "cd ../../repo; echo p >p.txt; git add p.txt; git commit -qm person", ""},
        Row{"a person, who merged the work of another task",
            "git update-ref refs/andon/runs/6 HEAD; git update-ref refs/heads/main HEAD",
            "if you did not move it"},
        Row{"an agent in the name of a person",
            "echo p >p.txt; git add p.txt; GIT_COMMITTER_EMAIL=ann@example.org git commit -qm person; "
            "git update-ref refs/heads/main HEAD",
            "it was put back"},
        Row{"a person, whose commit the agent merged", kPersonCommits + "git merge -q main", ""},
        Row{"a person, whose commit the agent rebased onto", kPersonCommits + "git rebase -q main", ""},
        Row{"a person, whose commit the agent pulled without work of its own",
            kPersonCommits + "git reset -q --hard HEAD~1; git pull -q . main", ""},
        Row{"a person and then an agent",
            kPersonCommits + "git rebase -q main; git update-ref refs/heads/main HEAD",
            "if you did not move it"},
        Row{"somebody, the default branch",
            "git branch -m main trunk; git branch main trunk^{commit}; git branch "
            "master; git symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/trunk",
            "the default branch was main"}}) {
    Place place;
    INFO(row.what);
    at(place.repo, "git tag v1; git update-ref refs/remotes/origin/main HEAD");
    REQUIRE(place.trouble() == "");
    auto const noted = note_run(place.spec, *place.spec.place, 7, place.use);
    REQUIRE(noted);
    at(place.tree, "export GIT_COMMITTER_EMAIL=andon@andon.invalid; echo two >a.txt; git commit -qam work; " +
                       row.script);
    auto const work = record_work(place.repo, *place.spec.place, 7, *noted, place.use);
    CHECK(work.base == (row.says.empty() ? at(place.repo, "git merge-base main andon/7-cart") : noted->tip));
    CHECK(work.head == place.head("andon/7-cart"));
    if (row.says.empty())
      CHECK(work.trouble == "");
    else
      CHECK(work.trouble.find(row.says) != std::string::npos);
    if (row.says == "it was put back") CHECK(place.head("main") == noted->tip);
    if (row.says == "it was put back") CHECK(place.head("v1") == noted->tip);
  }
}

TEST_CASE("RefGuard.WhatTheServerLandedIsNotAnAgentsMove") {
  Place place;
  REQUIRE(place.trouble() == "");
  auto const noted = note_run(place.spec, *place.spec.place, 7, place.use);
  REQUIRE(noted);
  at(place.repo,
     "export GIT_COMMITTER_EMAIL=andon@andon.invalid; git switch -qc other; echo o >o.txt; git add .; "
     "git commit -qm other; git switch -q main");
  REQUIRE_FALSE(advance(*open_repository(place.repo, place.use), place.head("other")));
  at(place.tree, "echo two >a.txt; git commit -qam work; git rebase -q main");
  auto const work = record_work(place.repo, *place.spec.place, 7, *noted, place.use);
  CHECK(work.trouble == "");
  CHECK(place.head("main") == place.head("other"));
}

TEST_CASE("OutlyingParts.AreThoseBeforeTheFirstRun") {
  Place place;
  at(place.scratch.path(), "mkdir first later; git init -q --bare first; git init -q --bare later");
  auto const borrow = [&](std::string const& from) {
    at(place.repo, "echo ../../../" + from + "/objects >>.git/objects/info/alternates");
  };
  borrow("first");
  auto const found = *find_work_place(place.repo);
  CHECK(outlying_parts(found) == std::vector{(place.scratch / "first/objects").native()});
  REQUIRE(place.trouble() == "");
  RepositoryRecords const records{place.use.records, found};
  records.keep_outlying(outlying_parts(found));
  REQUIRE(place.trouble() == "");
  borrow("later");
  CHECK(place.trouble().find("leads git to " + (place.scratch / "later/objects").native()) !=
        std::string::npos);
  records.keep_outlying(outlying_parts(found));
  CHECK(place.trouble() != "");
  std::filesystem::remove(records.outlying_file());
  CHECK(place.trouble() == "");
}

TEST_CASE("OutlyingParts.ALinkAmongTheObjectsIsFound") {
  Place place;
  auto const found = *find_work_place(place.repo);
  CHECK_FALSE(link_among_objects(found));
  at(place.repo, "ln -s /etc .git/objects/pack/pack-1.pack");
  CHECK(link_among_objects(found)->find("pack-1.pack is a link") != std::string::npos);
}
