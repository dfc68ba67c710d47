#include <doctest/doctest.h>

#include "runner/git/work_place.hpp"
#include "runner/profiles/profiles.hpp"
#include "runner/supervision/finish_request.hpp"
#include "runner/supervision/supervised_run.hpp"
#include "runner/worktrees/diff.hpp"
#include "runner/worktrees/git_place.hpp"

using namespace andon;
using namespace andon::runner;
using test::at;
using test::GitPlace;
using test::SupervisedRun;

namespace {

/// A repository that the agents of the other one may not read.
struct TwoRepositories : GitPlace {
  std::filesystem::path secret = scratch / "secret";
  TwoRepositories() {
    std::filesystem::create_directories(secret);
    at(secret,
       "git init -q -b main; echo key >key.txt; git add .; git commit -qm secret; git pack-refs --all");
  }
  std::string secret_commit() const { return at(secret, "git rev-parse main"); }
};

/// A run in a work tree whose agent executes a script, in the sandbox of a built-in profile if the kernel has
/// one.
struct Agent : SupervisedRun {
  Agent(GitPlace const& place, std::string const& script) : SupervisedRun({"/bin/sh", "-ec", script}) {
    spec.worker = "developer";
    spec.records = place.data.repositories();
    spec.workspace = place.workspace("42-cart");
    spec.cwd = spec.workspace->directory;
    for (auto const* role : {"AUTHOR", "COMMITTER"}) {
      spec.env.push_back("GIT_" + std::string{role} + "_NAME=developer");
      spec.env.push_back("GIT_" + std::string{role} + "_EMAIL=andon@andon.invalid");
    }
    spec.env.push_back("HOME=" + (place.scratch / "home").native());
    spec.env.push_back("OUTSIDE=" + place.scratch.path().native());
    spec.check_env = {"PATH=/usr/bin:/bin"};
    spec.checks = {{"runs", {"true"}}};
    auto const profile = test::built_in("claude");
    if (has_sandbox(profile))
      spec.sandbox = sandbox_of({.program = spec.program,
                                 .andon_directory = "/usr/bin",
                                 .data = place.scratch / "data",
                                 .run_dir = dir(),
                                 .cwd = spec.cwd,
                                 .environment = spec.env,
                                 .folders = profile.folders});
  }

  EndRecord ended() {
    start();
    return end();
  }
};

}  // namespace

TEST_CASE("AgentGit.NoOtherBranchMovesToItsWork") {
  for (std::string const script :
       {"git update-ref refs/heads/main HEAD", "git push -q . HEAD:refs/heads/stable",
        "git symbolic-ref refs/heads/stable refs/heads/andon/42-cart", "git branch -f andon/41-other",
        "git update-ref refs/remotes/origin/main HEAD", "git tag -f v1"}) {
    GitPlace place;
    INFO(script);
    at(place.repo, "git branch stable; git tag v1");
    auto const refs = at(place.repo, "git for-each-ref");
    auto const first = place.head();
    Agent agent{place, "echo two >a.txt; git commit -qam work; " + script};
    auto const end = agent.ended();
    CHECK_FALSE(end.error_class);
    CHECK(end.checks.size() == 1);
    CHECK(end.base == first);
    CHECK(end.head == place.kept("andon/42-cart"));
    CHECK(end.commits == std::vector{end.head});
    CHECK(at(place.repo, "git for-each-ref") == refs);
    CHECK(place.kept("main") == first);
    CHECK(place.kept("v1") == first);
    CHECK(place.kept("origin/stable") == first);
  }
}

TEST_CASE("AgentGit.WhatItLeavesIsCommittedToNoOtherBranch") {
  GitPlace place;
  auto const first = place.head();
  Agent agent{place, "echo two >a.txt; git symbolic-ref HEAD refs/heads/main"};
  auto const end = agent.ended();
  CHECK(place.head() == first);
  CHECK(end.branch == "");
  CHECK(end.error_class == ErrorClass::workspace);
  CHECK(end.error.find("on the branch main") != std::string::npos);
}

TEST_CASE("AgentGit.ThePersonsCommitsStayWhereTheyAre") {
  GitPlace place;
  Agent agent{
      place,
      "echo two >a.txt; git commit -qam work; echo $$ >\"$ZOO_PIPE\"; until [ -e ../../on ]; do :; done"};
  agent.spec.sandbox.reset();  // it looks for a file outside
  agent.start();
  agent.wait_for(1);
  at(place.repo, "echo three >b.txt; git commit -qam person; touch ../on");
  auto const end = agent.end();
  CHECK_FALSE(end.error_class);
  CHECK(end.checks.size() == 1);
  CHECK(at(place.repo, "git log -1 --format=%s main") == "person");
}

TEST_CASE("AgentGit.NothingIsReadForItThatItMayNotRead" * doctest::skip(os::confinement_version() == 0)) {
  std::string const alternates = "echo \"$OUTSIDE/secret/.git/objects\" >$git/objects/info/alternates; ";
  std::string const link =
      "ln -s \"$OUTSIDE/secret/.git/refs/heads/main\" $git/refs/heads/andon/other; "
      "git symbolic-ref HEAD refs/heads/andon/other";
  std::string const guess = "echo $SECRET >$git/refs/heads/andon/42-cart";
  struct Row {
    std::string script;
    std::string_view says;
  };
  for (auto const& row :
       {Row{alternates + guess, "leads git to"}, Row{alternates + link, "is a link"}, Row{link, "is a link"},
        Row{"rm -rf $git/objects/info; ln -s \"$OUTSIDE/secret/.git/objects/info\" $git/objects/info; " +
                link,
            "is a link"},
        Row{"for each in $PARTS; do ln -s \"$OUTSIDE/secret/.git/objects/$each\" $git/objects/$each; done; " +
                guess,
            ""},
        Row{"git symbolic-ref HEAD refs/heads/main; rm -f $git/refs/heads/main; "
            "ln -sf \"$OUTSIDE/secret/.git/packed-refs\" $git/packed-refs",
            "leads git to"},
        Row{"mv $git/objects $git/o; ln -s \"$OUTSIDE/secret/.git/objects\" $git/objects; " + guess,
            "leads git to"},
        Row{"git config include.path \"$OUTSIDE/secret/key.txt\"", "leads git to"}}) {
    TwoRepositories place;
    INFO(row.script);
    Agent agent{place,
                "echo two >a.txt; git commit -qam work; git=$(git rev-parse --git-common-dir); "
                "cat \"$OUTSIDE/secret/key.txt\" && exit 9; " +
                    row.script};
    agent.spec.env.push_back("SECRET=" + place.secret_commit());
    agent.spec.env.push_back("PARTS=" + at(place.secret, "cd .git/objects; echo ??"));
    auto const end = agent.ended();
    CHECK(end.exit->code == 0);
    if (!row.says.empty()) {
      CHECK(end.error_class == ErrorClass::workspace);
      CHECK(end.error.find(row.says) != std::string::npos);
    }
    CHECK(end.head != place.secret_commit());
    CHECK(end.files_changed == 0);
    CHECK(at(place.repo,
             "rm -rf .git/objects/info/alternates; ls .git/refs/andon/runs 2>/dev/null || true") == "");
  }
}

TEST_CASE("AgentGit.WhatTheRepositoryBorrowedBeforeGoesOnWorking") {
  GitPlace place;
  at(place.scratch.path(), "mv repo lender; git clone -q --shared lender repo");
  for (int count = 1; count <= 2; ++count) {
    Agent agent{place, "echo $$ >>a.txt; git commit -qam work; git log --format=%s"};
    if (count == 2) agent.spec.workspace->place = find_work_place(agent.spec.cwd).value();
    auto const end = agent.ended();
    CHECK_FALSE(end.error_class);
    CHECK(end.error == "");
    CHECK(end.files_changed == 1);
    CHECK(end.head == place.kept("refs/andon/runs/7"));
    core::Run run;
    run.base = end.base;
    run.head = end.head;
    auto const diff = diff_of({run, place.clone().repo()});
    REQUIRE(diff);
    CHECK(diff->files.size() == 1);
  }
}
