#include "runner/evidence.hpp"

#include <doctest/doctest.h>

#include "os/capture.hpp"
#include "os/file.hpp"
#include "os/program.hpp"
#include "support/scratch.hpp"

using namespace andon;
using namespace andon::runner;

namespace {

void git(std::filesystem::path const& directory, std::string const& script) {
  auto const done = os::capture({.program = "/bin/sh",
                                 .argv = {"sh", "-ec", script},
                                 .env = {"PATH=/usr/bin:/bin", "HOME=/nonexistent", "GIT_AUTHOR_NAME=a",
                                         "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a",
                                         "GIT_COMMITTER_EMAIL=a@example.org", "GIT_CONFIG_GLOBAL=/dev/null"},
                                 .cwd = directory},
                                {.time = core::Duration{60'000}});
  INFO(done.out);
  REQUIRE(done.status.code == 0);
}

}  // namespace

TEST_CASE("Evidence.OutsideARepositoryThereIsNone") {
  test::Scratch const scratch;
  CHECK(head_commit(scratch.path()).empty());
  CHECK(collect_evidence(scratch.path(), "").files_changed == 0);
  CHECK(collect_evidence(scratch / "gone", "").branch.empty());
}

TEST_CASE("Evidence.CommitsAndChangedFilesAreCounted") {
  test::Scratch const scratch;
  git(scratch.path(), "git init -q -b main; echo 1 >a; echo 1 >b; git add .; git commit -qm first");
  auto const before = head_commit(scratch.path());
  CHECK(before.size() == 40);
  CHECK(collect_evidence(scratch.path(), before).commits.empty());
  git(scratch.path(), "echo 2 >a; git commit -qam second; echo 3 >b; echo 1 >'new file'; touch a");
  auto const evidence = collect_evidence(scratch.path(), before);
  CHECK(evidence.branch == "main");
  CHECK(evidence.commits == std::vector<std::string>{head_commit(scratch.path())});
  CHECK(evidence.files_changed == 3);
}

TEST_CASE("Evidence.NothingTheRepositoryConfiguresIsRun") {
  test::Scratch const scratch;
  git(scratch.path(),
      "git init -q -b main; echo 1 >a; echo 'a filter=evil diff=evil' >.gitattributes; git add .; git commit "
      "-qm first;"
      "trap=\"touch '$PWD/../$(basename \"$PWD\").ran'; cat\";"
      "git config filter.evil.clean \"$trap\"; git config filter.evil.process \"$trap\"; git config "
      "filter.evil.required true;"
      "git config core.fsmonitor \"$trap\"; git config diff.external \"$trap\"; git config "
      "diff.evil.textconv \"$trap\";"
      "git config core.hooksPath .; echo 22 >a");
  auto const marker = std::filesystem::path{scratch.path().native() + ".ran"};
  std::filesystem::remove(marker);
  CHECK(collect_evidence(scratch.path(), head_commit(scratch.path())).files_changed == 1);
  CHECK_FALSE(std::filesystem::exists(marker));
}
