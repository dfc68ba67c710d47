#include <doctest/doctest.h>

#include "runner/profiles/profiles.hpp"
#include "runner/supervision/finish_request.hpp"
#include "runner/supervision/supervised_run.hpp"
#include "runner/worktrees/git_place.hpp"

using namespace andon;
using namespace andon::runner;
using test::at;
using test::GitPlace;
using test::SupervisedRun;

namespace {

/// A run in a work tree whose agent executes a script, in the sandbox of a built-in profile if the kernel has
/// one.
struct Agent : SupervisedRun {
  Agent(GitPlace const& place, std::string const& script) : SupervisedRun({"/bin/sh", "-ec", script}) {
    spec.worker = "developer";
    spec.records = place.use.records;
    spec.workspace = WorkspaceSpec{place.repo, place.work / "42-cart"};
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
        "git symbolic-ref refs/heads/stable refs/heads/andon/42-cart"}) {
    GitPlace place;
    INFO(script);
    at(place.repo, "git branch stable");
    auto const first = place.head();
    Agent agent{place,
                "echo two >a.txt; git commit -qam work; " + script + "; git log -1 --format=%s stable main"};
    auto const end = agent.ended();
    CHECK(end.error_class == ErrorClass::workspace);
    CHECK(end.error.find("which is a commit of this task's branch; it was put back") != std::string::npos);
    CHECK(end.checks.empty());
    CHECK(end.base == first);
    CHECK(end.head == place.head("andon/42-cart"));
    CHECK(place.head("main") == first);
    CHECK(place.head("stable") == first);
    auto const told = finish_request(end);
    CHECK(told.stopped_because == "workspace");
    CHECK(told.result == end.error);
  }
}

TEST_CASE("AgentGit.WhatItLeavesIsCommittedToNoOtherBranch") {
  GitPlace place;
  auto const first = place.head();
  Agent agent{place, "echo two >a.txt; git symbolic-ref HEAD refs/heads/main"};
  auto const end = agent.ended();
  CHECK(place.head() == first);
  CHECK(end.branch == "");
  CHECK(end.head == first);
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
