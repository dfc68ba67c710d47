#include "runner/worktrees/run_work.hpp"

#include <algorithm>

#include "runner/worktrees/diff.hpp"
#include "runner/worktrees/git_place.hpp"
#include "runner/worktrees/workspace.hpp"

using namespace andon;
using namespace andon::runner;
using test::at;
using test::GitPlace;

namespace {

/// A task's work tree, whose agent commits in the name of one.
struct Task : GitPlace {
  WorkspaceSpec spec = workspace("7-cart");
  std::filesystem::path tree{spec.directory};
  RunStart noted{};

  void begin_run() {
    auto const made = prepare(spec);
    REQUIRE(made);
    spec.place = *made;
    spec.branch = at(tree, "git symbolic-ref --short HEAD");
    auto const now = note_run(spec, *made, use_for(spec));
    REQUIRE(now);
    noted = *now;
  }
  void act(std::string const& script) const {
    at(tree, "export GIT_COMMITTER_EMAIL=andon@andon.invalid; repo=" + repo.native() + "; " + script);
  }
  RunWork end_run() const {
    REQUIRE(clone().refresh());
    return record_work(spec, *spec.place, 7, noted, use_for(spec));
  }
};

/// Somebody commits to main, and the agent gets that.
constexpr char kOthersCommit[] =
    "(cd $repo; export GIT_COMMITTER_EMAIL=ann@example.org; echo p >p.txt; echo p >b.txt; git add .; "
    "git commit -qm others); git fetch -q $repo main; git update-ref refs/heads/main FETCH_HEAD; ";
constexpr char kWork[] = "echo two >a.txt; git commit -qam work; ";

struct Row {
  std::string_view what;
  std::string script;
  std::size_t commits;
  int files;
  std::string_view says = "";
};

}  // namespace

TEST_CASE("RunWork.IsWhatTheRunAddsToTheDefaultBranch") {
  std::string const others = kOthersCommit;
  std::string const work = kWork;
  for (auto const& row :
       {Row{"nothing", "true", 0, 0}, Row{"a commit", work, 1, 1},
        Row{"uncommitted files", "echo two >a.txt; echo n >new.txt", 0, 2},
        Row{"an empty commit", "git commit -q --allow-empty -m empty", 0, 0},
        Row{"a commit and its revert", work + "git revert --no-edit HEAD >/dev/null", 0, 0},
        Row{"only a file's mode", "chmod +x a.txt; git commit -qam mode", 1, 1},
        Row{"a rename", "git mv a.txt c.txt; git commit -qm rename", 1, 2},
        Row{"main, pulled", others + "git pull -q . main", 0, 0},
        Row{"main, merged without fast-forward", others + "git merge -q --no-ff main", 0, 0},
        Row{"main, reset to", others + "git reset -q --hard main", 0, 0},
        Row{"main, merged into an empty commit",
            "git commit -q --allow-empty -m empty; " + others + "git merge -q main", 0, 0},
        Row{"main, cherry-picked, whose commits are others'",
            others + "git cherry-pick main >/dev/null; git merge -q main", 0, 0},
        Row{"work beside main", others + work, 1, 1},
        Row{"work, then main merged", work + others + "git merge -q main", 2, 1},
        Row{"work rebased onto main", work + others + "git rebase -q main", 1, 1},
        Row{"main pulled, then work", others + "git pull -q . main; " + work, 1, 1}}) {
    Task task;
    INFO(row.what);
    task.begin_run();
    task.act(row.script);
    auto const done = task.end_run();
    CHECK(done.commits.size() == row.commits);
    CHECK(done.files_changed == row.files);
    CHECK(done.trouble == "");
    if (row.files == 0 || row.commits == 0) continue;
    core::Run run;
    run.base = done.base;
    run.head = done.head;
    auto const shown = diff_of({run, task.spec.repo});
    REQUIRE(shown);
    CHECK(shown->commits == done.commits);
    // A renamed file counts under both names, and is shown as one.
    auto const renamed =
        std::ranges::count_if(shown->files, [](auto const& file) { return !file.from.empty(); });
    CHECK(static_cast<int>(shown->files.size()) + renamed == done.files_changed);
    REQUIRE(done.diff_size);
    CHECK(done.diff_size->files == static_cast<int>(shown->files.size()));
  }
}

TEST_CASE("RunWork.IsNotThatOfAnEarlierAttempt") {
  std::string const others = kOthersCommit;
  for (auto const& row :
       {Row{"nothing", "true", 0, 0},
        Row{"main merged into the earlier work", others + "git merge -q main", 0, 0},
        Row{"the earlier work rebased onto main", others + "git rebase -q main", 0, 0},
        Row{"the earlier message reworded", "git commit -q --amend -m better", 0, 0},
        Row{"more work", "echo three >c.txt; git add .; git commit -qm more", 1, 1},
        Row{"the earlier work rebased, and more",
            others + "git rebase -q main; echo three >c.txt; git add .; git commit -qm more", 1, 1},
        Row{"the earlier work mended", "echo better >a.txt; git commit -qam better", 1, 1},
        Row{"the earlier work amended", "echo better >a.txt; git commit -qa --amend -m better", 1, 1},
        Row{"the earlier work taken back", "git revert --no-edit HEAD >/dev/null", 1, 1}}) {
    Task task;
    INFO(row.what);
    task.begin_run();
    task.act(kWork);
    CHECK(task.end_run().commits.size() == 1);
    task.begin_run();
    task.act(row.script);
    auto const done = task.end_run();
    CHECK(done.commits.size() == row.commits);
    CHECK(done.files_changed == row.files);
    CHECK(done.trouble == "");
  }
}

TEST_CASE("RunWork.ThatCannotBeLandedIsLeftToAPerson") {
  for (auto const& row :
       {Row{"an unrelated branch", "git checkout -q --orphan fresh; git commit -qm fresh", 0, 0,
            "the branch fresh shares no commit with main"},
        Row{"an unrelated history on the task's branch",
            "git checkout -q --orphan fresh; git commit -qm fresh; git branch -qf andon/7-cart fresh; git "
            "checkout -q andon/7-cart",
            0, 0, "the branch andon/7-cart shares no commit with main"}}) {
    Task task;
    INFO(row.what);
    task.begin_run();
    task.act(row.script);
    CHECK(task.end_run().trouble.find(row.says) != std::string::npos);
  }
}

TEST_CASE("RunWork.ASubmodulesCommitMustOutliveTheWorkTree") {
  std::string const kCommit = "(cd lib; echo two >l.txt; git commit -qam lib); git commit -qam lib; ";
  for (auto const& row :
       {Row{"an untouched one", "true", 0, 0}, Row{"built in it", "touch lib/l.o", 0, 0},
        Row{"a commit that is nowhere else", kCommit, 1, 1, "does not have, so it would be lost"},
        Row{"a commit that the repository has",
            kCommit + "git -C lib push -q $repo/.git/modules/lib HEAD:refs/heads/kept", 1, 1},
        Row{"uncommitted changes", "echo two >lib/l.txt", 0, 0, "lib has uncommitted changes: l.txt"},
        Row{"a commit that the work does not name", "cd lib; echo two >l.txt; git commit -qam lib", 0, 0,
            "commit the one that is meant"},
        Row{"one that leads elsewhere",
            "rm lib/.git; git init -q $repo/../other; ln -s $repo/../other/.git lib", 0, 0,
            "cannot be looked at"},
        Row{"a repository that the agent made",
            "git init -q -b main new; cd new; echo n >n.txt; git add .; git commit -qm n; cd ..; git add new "
            "2>/dev/null; git commit -qm new",
            1, 1, "it has no such submodule"}}) {
    Task task;
    INFO(row.what);
    at(task.scratch.path(),
       "git init -q -b main lib; cd lib; echo one >l.txt; git add .; git commit -qm lib");
    at(task.repo, "git -c protocol.file.allow=always submodule --quiet add ../lib lib; git commit -qm lib");
    task.begin_run();
    task.act("git -c protocol.file.allow=always submodule --quiet update --init; " + row.script);
    auto const done = task.end_run();
    CHECK(done.commits.size() == row.commits);
    CHECK(done.files_changed == row.files);
    if (row.says.empty())
      CHECK(done.trouble == "");
    else
      CHECK(done.trouble.find(row.says) != std::string::npos);
  }
}
