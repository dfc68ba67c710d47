#pragma once

#include <filesystem>
#include <string>

#include <doctest/doctest.h>

#include "os/processes/capture.hpp"
#include "runner/worktrees/git.hpp"
#include "support/scratch.hpp"

namespace andon::test {

/// Runs a shell script as a person at a repository would; its output.
inline std::string at(std::filesystem::path const& directory, std::string const& script) {
  auto const done =
      os::capture({.program = "/bin/sh",
                   .argv = {"sh", "-ec", script},
                   .env = {"PATH=/usr/bin:/bin", "HOME=/nonexistent", "GIT_AUTHOR_NAME=ann",
                           "GIT_AUTHOR_EMAIL=ann@example.org", "GIT_COMMITTER_NAME=ann",
                           "GIT_COMMITTER_EMAIL=ann@example.org", "GIT_CONFIG_GLOBAL=/dev/null"},
                   .cwd = directory},
                  {.time = core::Duration{60'000}});
  INFO(script, "\n", done.out);
  REQUIRE(done.status.code == 0);
  return done.out.substr(0, done.out.find_last_not_of('\n') + 1);
}

/// A repository on `main` with one commit, and a folder for work trees beside it.
struct GitPlace {
  Scratch scratch;
  std::filesystem::path repo = scratch / "repo";
  std::filesystem::path work = scratch / "work";
  runner::GitUse use{.records = scratch / "repositories"};

  GitPlace() {
    std::filesystem::create_directories(repo);
    at(repo, "git init -q -b main; echo one >a.txt; echo one >b.txt; git add .; git commit -qm first");
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
