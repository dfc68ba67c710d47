#pragma once

#include <filesystem>
#include <string>

#include <doctest/doctest.h>

#include "os/processes/capture.hpp"
#include "runner/clones/clone.hpp"
#include "runner/worktrees/run_work.hpp"
#include "runner/worktrees/workspace.hpp"
#include "support/scratch.hpp"

namespace andon::test {

/// Runs a shell script as a person at a repository would; its output.
inline std::string at(std::filesystem::path const& directory, std::string const& script) {
  auto const done =
      os::capture({.program = "/bin/sh",
                   .argv = {"sh", "-ec", script},
                   .env = {"PATH=/usr/bin:/bin", "HOME=/nonexistent", "GIT_AUTHOR_NAME=ann",
                           "GIT_AUTHOR_EMAIL=ann@example.org", "GIT_COMMITTER_NAME=ann",
                           "GIT_COMMITTER_EMAIL=ann@example.org", "GIT_CONFIG_GLOBAL=/dev/null",
                           "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0=*"},
                   .cwd = directory},
                  {.time = core::Duration{60'000}});
  INFO(script, "\n", done.out);
  REQUIRE(done.status.code == 0);
  return done.out.substr(0, done.out.find_last_not_of('\n') + 1);
}

/// How a run that said it is done is settled.
inline runner::Settling finished(std::vector<std::string> kept_out = {}) {
  return {.commit = {7, "developer", "Fix the cart"}, .kept_out = std::move(kept_out), .is_finished = true};
}

/// A repository on `main` with one commit, a folder for work trees beside it, and a data directory.
struct GitPlace {
  Scratch scratch;
  std::filesystem::path repo = scratch / "repo";
  std::filesystem::path work = scratch / "work";
  os::DataDirectory data = os::data_directory(scratch / "data");

  GitPlace() {
    std::filesystem::create_directories(repo);
    at(repo, "git init -q -b main; echo one >a.txt; echo one >b.txt; git add .; git commit -qm first");
  }
  runner::Clone clone() const { return {repo, data, {}}; }
  /// The commit of a name in Andon's clone.
  std::string kept(std::string const& what) const { return at(clone().repo(), "git rev-parse " + what); }
  runner::WorkspaceSpec workspace(std::string const& name) const {
    return {.repo = clone().repo(), .directory = work / name, .origin = repo, .data = data.root};
  }
  /// As a run does before its agent starts.
  static core::Result<core::WorkPlace> prepare(runner::WorkspaceSpec const& spec) {
    runner::Clone const clone{spec.origin, os::data_directory(spec.data), {}};
    if (auto const fetched = clone.refresh(); !fetched) return std::unexpected(fetched.error());
    clone.take_up(runner::branch_of_task(spec.directory, spec.branch));
    return runner::prepare_workspace(spec, runner::use_for(spec));
  }
  std::string head(std::string const& what = "main") const { return at(repo, "git rev-parse " + what); }
  /// Configures everything that could make git run something: it would leave a marker.
  void set_traps() const {
    at(repo,
       "trap=\"touch '" + marker().native() +
           "'; cat\";"
           "mkdir -p .git/hooks; for hook in post-checkout pre-commit commit-msg post-commit post-rewrite "
           "pre-rebase "
           "post-merge pre-merge-commit reference-transaction prepare-commit-msg post-index-change; do"
           " printf '#!/bin/sh\\ntouch \"" +
           marker().native() +
           "\"\\n' >.git/hooks/$hook;"
           " chmod +x .git/hooks/$hook; done;"
           "for driver in evil 'a=b'; do"
           " git config \"filter.$driver.clean\" \"$trap\"; git config \"filter.$driver.smudge\" \"$trap\";"
           " git config \"filter.$driver.process\" \"$trap\"; git config \"filter.$driver.required\" true;"
           " git config \"merge.$driver.driver\" \"$trap; false\"; git config \"diff.$driver.textconv\" "
           "\"$trap\";"
           " git config \"diff.$driver.command\" \"$trap\"; done;"
           "git config core.fsmonitor \"$trap\"; git config diff.external \"$trap\";"
           "git config core.sshCommand \"$trap\"; git config core.editor \"$trap\";"
           "git config commit.gpgSign true; git config gpg.program \"$trap\";"
           "git config core.pager \"$trap\"; git config credential.helper \"!$trap\";"
           "printf 'a.txt filter=evil diff=evil merge=evil\\nb.txt filter=a=b diff=a=b merge=a=b\\n'"
           " >.git/info/attributes");
  }
  std::filesystem::path marker() const { return scratch / "marker"; }
  bool was_sprung() const { return std::filesystem::exists(marker()); }
};

}  // namespace andon::test
