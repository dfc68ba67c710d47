#include "runner/worktrees/evidence.hpp"

#include <doctest/doctest.h>

#include "runner/worktrees/git_place.hpp"

using namespace andon;
using namespace andon::runner;

namespace {

void git(std::filesystem::path const& directory, std::string const& script) { test::at(directory, script); }

}  // namespace

TEST_CASE("Evidence.OutsideARepositoryThereIsNone") {
  test::Scratch const scratch;
  CHECK_FALSE(place_around(scratch.path()));
  CHECK_FALSE(place_around(scratch / "gone"));
}

TEST_CASE("Evidence.CommitsAndChangedFilesAreCounted") {
  test::Scratch const scratch;
  git(scratch.path(), "git init -q -b main; echo 1 >a; echo 1 >b; git add .; git commit -qm first");
  auto const before = head_commit(*place_around(scratch.path()));
  CHECK(before.size() == 40);
  CHECK(collect_evidence(*place_around(scratch.path()), scratch.path(), before).commits.empty());
  git(scratch.path(), "echo 2 >a; git commit -qam second; echo 3 >b; echo 1 >'new file'; touch a");
  auto const evidence = collect_evidence(*place_around(scratch.path()), scratch.path(), before);
  CHECK(evidence.branch == "main");
  CHECK(evidence.commits == std::vector<std::string>{head_commit(*place_around(scratch.path()))});
  CHECK(evidence.files_changed == 3);
}

TEST_CASE("Evidence.IsFoundBeneathAndThroughALink") {
  test::Scratch const scratch;
  git(scratch.path(),
      "git init -q -b main; mkdir -p deep/er; ln -s deep/er link; echo 1 >a; git add a; git commit -qm "
      "first");
  test::Scratch const outside;
  std::filesystem::create_symlink(scratch / "deep", outside / "in");
  for (auto const& place : {scratch / "deep/er", scratch / "link", outside / "in"}) {
    CAPTURE(place);
    CHECK(head_commit(*place_around(place)).size() == 40);
    CHECK(collect_evidence(*place_around(place), place, "").branch == "main");
  }
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
      "git config 'filter.a=b.clean' \"$trap\"; echo 1 >c; echo 'c filter=a=b' >>.gitattributes;"
      "git config core.hooksPath .; echo 22 >a");
  auto const marker = std::filesystem::path{scratch.path().native() + ".ran"};
  std::filesystem::remove(marker);
  CHECK(collect_evidence(*place_around(scratch.path()), scratch.path(),
                         head_commit(*place_around(scratch.path())))
            .files_changed == 3);
  CHECK_FALSE(std::filesystem::exists(marker));
}
