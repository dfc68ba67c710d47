#include "os/processes/confinement.hpp"
#include "os/processes/program.hpp"
#include "runner/worktrees/filter_place.hpp"
#include "runner/worktrees/ledger.hpp"

using namespace andon;
using namespace andon::runner;
using test::at;
using test::FilterPlace;

namespace {

std::string reason_of(RunWork const& work) { return work.left_out.empty() ? "" : work.left_out[0].reason; }

}  // namespace

TEST_CASE("HeldFilters.AreThoseOfTheUserThatHaveACommand") {
  FilterPlace const place;
  place.user.set("filter.way-out.smudge", "cat");
  place.user.set("filter.formatter.clean", "indent");
  auto const held = held_filters({"seal", "way-out", "formatter", "unknown"});
  CHECK(held.names == std::vector<std::string>{"seal", "formatter"});
  Environment const formatter{{"filter.formatter.clean", "indent"},
                              {"filter.formatter.smudge", "cat"},
                              {"filter.formatter.required", "true"}};
  CHECK(Environment(held.settings.end() - 3, held.settings.end()) == formatter);
  CHECK(held.programs.at(0) == place.scratch / "seal");
}

TEST_CASE("AllowedFilter.ReadsAndWritesTheFilesOfATree") {
  FilterPlace place;
  place.begin_run();
  CHECK(at(place.tree, "cat vault/old") == "hello");
  CHECK(at(place.tree, "git status --porcelain") == "");
  place.act("echo secret >vault/new; echo changed >vault/old; echo plain >open");
  auto const work = place.end_run();
  CHECK(work.trouble == "");
  CHECK(work.left_out.empty());
  CHECK(work.may_leave);
  CHECK(place.stored(work, "vault/new") == "SEALED\nfrperg");
  CHECK(place.stored(work, "vault/old") == "SEALED\npunatrq");
  CHECK(place.stored(work, "open") == "plain");
  CHECK_FALSE(place.has_text("secret"));
  CHECK(at(place.tree, "git status --porcelain") == "");
}

TEST_CASE("AllowedFilter.RunsInTheAgentsOwnGit") {
  FilterPlace place;
  place.begin_run();
  place.act("echo secret >vault/new; git add .; git commit -qm work");
  auto const work = place.end_run();
  CHECK(work.trouble == "");
  CHECK(work.may_leave);
  CHECK(place.stored(work, "vault/new") == "SEALED\nfrperg");
}

TEST_CASE("AllowedFilter.WithoutACommandOfTheUserIsNotRun") {
  FilterPlace place;
  place.spec.filters = {"seal", "other"};
  at(place.repo,
     "echo 'vault/** filter=other' >.gitattributes; git commit -qam other; "
     "git config filter.other.clean 'touch " +
         place.marker().native() +
         "; cat'; "
         "git config filter.other.smudge 'touch " +
         place.marker().native() + "; cat'");
  place.begin_run();
  place.act("git config filter.other.clean 'touch " + place.marker().native() +
            "; cat'; echo secret >vault/new");
  auto const work = place.end_run();
  CHECK_FALSE(place.was_sprung());
  CHECK(reason_of(work) ==
        "its filter \"other\" is not run by Andon: no command for it is in the git "
        "configuration of the user that runs Andon");
  CHECK_FALSE(place.has_text("secret"));
}

TEST_CASE("AllowedFilter.HasNoCommandOfARepository") {
  FilterPlace place;
  auto const trap = "touch " + place.marker().native() + "; cat";
  auto const set_traps =
      "for name in seal SEAL; do for key in clean smudge process; do git config "
      "filter.$name.$key '" +
      trap + "'; done; done; ";
  at(place.repo, set_traps);
  place.begin_run();
  CHECK_FALSE(place.was_sprung());
  place.act(
      "echo secret >vault/new; echo 'vault/n* filter=SEAL' >>.gitattributes; echo other >vault/other; " +
      set_traps);
  auto const work = place.end_run();
  CHECK_FALSE(place.was_sprung());
  CHECK(place.stored(work, "vault/other") == "SEALED\nbgure");
  CHECK_FALSE(place.has_text("secret"));
}

TEST_CASE("AllowedFilter.IsFoundMissingInACommitOfAnAgent") {
  struct Row {
    char const* what;
    char const* script;
  };
  for (
      auto const& row : {
          Row{"no filter",
              "echo secret >vault/p; git -c filter.seal.clean= -c filter.seal.required=false add .; "
              "git commit -qm work"},
          Row{"in an earlier commit",
              "echo secret >vault/p; git -c filter.seal.clean= -c filter.seal.required=false add .; "
              "git commit -qm work; git rm -q --cached vault/p; rm vault/p; git commit -qm gone"},
          Row{"without its attribute",
              "echo >.gitattributes; echo secret >vault/p; git add .; git commit -qm work"},
          Row{"with attributes of its own",
              "echo '* -filter' >vault/.gitattributes; echo secret >vault/p; git add .; git commit -qm work"},
          Row{"with attributes for a moment",
              "echo '* -filter' >vault/.gitattributes; echo secret >vault/p; git add .; git commit -qm work; "
              "rm vault/.gitattributes; git add .; git commit -qm later"},
          Row{"in a merge",
              "git checkout -q -b side; echo s >side; git add side; git commit -qm side; git checkout -q -; "
              "echo m >main; git add main; git commit -qm main; git merge -q --no-commit side >/dev/null "
              "2>&1; "
              "echo secret >vault/p; git -c filter.seal.clean= -c filter.seal.required=false add .; "
              "git commit -qm merge; git rm -q --cached vault/p; rm vault/p; git commit -qm gone"},
      }) {
    FilterPlace place;
    INFO(row.what);
    place.begin_run();
    place.act(row.script);
    auto const work = place.end_run();
    CHECK_FALSE(work.may_leave);
    CHECK(work.trouble.find("a commit has it as its filter did not see it") != std::string::npos);
  }
}

TEST_CASE("AllowedFilter.IsNotTakenFromAFileByTheWork") {
  for (auto const* attributes :
       {"rm .gitattributes", "echo >.gitattributes", "echo '* -filter' >vault/.gitattributes",
        "echo 'vault/p filter=other' >>.gitattributes"}) {
    FilterPlace place;
    INFO(std::string{attributes});
    place.begin_run();
    place.act(std::string{attributes} + "; echo secret >vault/p");
    auto const work = place.end_run();
    CHECK(work.trouble.find("vault/p (its filter \"seal\" is taken from it") != std::string::npos);
    CHECK_FALSE(place.has_text("secret"));
  }
}

TEST_CASE("AllowedFilter.ThatFailsLetsNothingThrough") {
  FilterPlace place;
  place.begin_run();
  place.program("seal", "cat; exit 1");
  place.act("echo secret >vault/new; echo plain >open");
  auto const work = place.end_run();
  INFO(work.trouble);
  CHECK(work.trouble.find("vault/old") != std::string::npos);
  CHECK_FALSE(place.has_text("secret"));
}

TEST_CASE("AllowedFilter.ThatHangsEndsAtTheLimit") {
  FilterPlace place;
  place.begin_run();
  place.program("seal", "sleep 100");
  place.act("echo secret >vault/new");
  auto const work = place.end_run({.limit = core::Duration{1'500}});
  CHECK(work.trouble.find("git took too long") != std::string::npos);
  CHECK_FALSE(place.has_text("secret"));
}

TEST_CASE("AllowedFilter.WritesOnlyInTheDirectoriesOfGit") {
  if (os::confinement_version() == 0) return;
  FilterPlace place;
  place.begin_run();
  auto const outside = (place.scratch / "outside").native();
  place.program("seal", "echo x >" + outside + "; cat " + (place.repo / "a.txt").native() + "; cat");
  place.act("echo secret >vault/new");
  auto const work = place.end_run();
  CHECK_FALSE(std::filesystem::exists(outside));
  CHECK(work.head != "");
}

namespace {

/// A place for a real filter, whose program must be there.
struct RealFilter : FilterPlace {
  RealFilter(std::string const& name, std::string const& way_in, std::string const& way_out) {
    for (auto const* key : {"clean", "smudge"}) {
      auto const command = std::string{key} == "clean" ? way_in : way_out;
      user.set("filter." + name + "." + key, command);
      at(repo, "git config filter." + name + "." + key + " '" + command + "'");
    }
    spec.filters = {name};
  }
  /// Lands the work, which is on top of main.
  std::optional<std::string> land(RunWork const& work) const {
    Clone const clone{repo, data, {.filters = held_filters(spec.filters)}};
    if (auto obstacle = clone.obstacle()) return obstacle;
    return clone.land("main", work.head, head());
  }
};

bool is_installed(char const* program) {
  if (os::find_program(program, "/usr/bin:/bin")) return true;
  MESSAGE("skipped: ", program, " is not installed");
  return false;
}

}  // namespace

TEST_CASE("AllowedFilter.OfGitLfsBringsTheLargeFilesAlong") {
  if (!is_installed("git-lfs")) return;
  RealFilter place{"lfs", "git-lfs clean -- %f", "git-lfs smudge -- %f"};
  at(place.repo,
     "echo '*.bin filter=lfs -text' >.gitattributes; seq 5000 >old.bin; git add .; git commit -qm large");
  place.begin_run();
  CHECK(at(place.tree, "cmp old.bin " + (place.repo / "old.bin").native()) == "");
  SUBCASE("that Andon commits") { place.act("seq 7000 >new.bin"); }
  SUBCASE("that the agent commits") { place.act("seq 7000 >new.bin; git add .; git commit -qm work"); }
  auto const work = place.end_run();
  CHECK(work.trouble == "");
  CHECK(place.stored(work, "new.bin").starts_with("version https://git-lfs"));
  CHECK(place.land(work) == std::nullopt);
  CHECK(at(place.repo, "cat new.bin; git status --porcelain") == at(place.repo, "seq 7000"));
}

TEST_CASE("AllowedFilter.OfGitLfsNeedsTheContentOfEachPointer") {
  if (!is_installed("git-lfs")) return;
  RealFilter place{"lfs", "git-lfs clean -- %f", "git-lfs smudge -- %f"};
  at(place.repo, "echo '*.bin filter=lfs -text' >.gitattributes; git add .; git commit -qm large");
  place.begin_run();
  SUBCASE("which is not there") {
    place.act("seq 7000 >new.bin; git add .; git commit -qm work; rm -r .git/lfs");
  }
  SUBCASE("which is another one") {
    place.act(
        "seq 7000 >new.bin; git add .; git commit -qm work; find .git/lfs/objects -type f | "
        "while read -r f; do tr 1 2 <\"$f\" >x; cat x >\"$f\"; done; rm x");
  }
  SUBCASE("which is a link") {
    place.act(
        "seq 7000 >new.bin; git add .; git commit -qm work; find .git/lfs/objects -type f | "
        "while read -r f; do mv \"$f\" .git/content; ln -s \"$PWD/.git/content\" \"$f\"; done");
  }
  // The tree has the content of the last pointer; an earlier commit has this one.
  place.act("rm new.bin; seq 8000 >other.bin; git add .; git commit -qm later");
  auto const work = place.end_run();
  CHECK(work.trouble.find("its LFS object is neither in the repository of the task") != std::string::npos);
}

TEST_CASE("AllowedFilter.OfGitCryptHasTheKeyOfThePersonsRepository") {
  if (!is_installed("git-crypt")) return;
  RealFilter place{"git-crypt", "git-crypt clean", "git-crypt smudge"};
  at(place.repo,
     "git-crypt init >/dev/null 2>&1; echo 'vault/** filter=git-crypt' >.gitattributes; echo open "
     ">vault/old; "
     "git add .; git commit -qm sealed; touch vault/old");
  place.begin_run();
  CHECK(at(place.tree, "cat vault/old") == "open");
  place.act("echo secret >vault/new; echo mine >vault/own; git add vault/own; git commit -qm own");
  auto const work = place.end_run();
  CHECK(work.trouble == "");
  CHECK_FALSE(place.has_text("secret"));
  CHECK_FALSE(place.has_text("mine"));
  CHECK(place.land(work) == std::nullopt);
  CHECK(at(place.repo, "cat vault/new vault/own vault/old; git status --porcelain") == "secret\nmine\nopen");
}

TEST_CASE("DefaultBranch.AnUnchangedFileUnderAnotherFilterIsNoLocalChange") {
  FilterPlace place;
  at(place.repo, "git config filter.seal.clean '" + (place.scratch / "seal").native() +
                     " clean'; git config filter.seal.smudge '" + (place.scratch / "seal").native() +
                     " smudge'; rm vault/old; git checkout -q vault/old; touch vault/old");
  for (std::vector<std::string> const& filters : {std::vector<std::string>{}, {"seal"}}) {
    place.spec.filters = filters;
    Clone const clone{place.repo, place.data, {.filters = held_filters(filters)}};
    REQUIRE(clone.refresh());
    CHECK(clone.obstacle() == std::nullopt);
  }
  at(place.repo, "echo changed >vault/old");
  CHECK(Clone{place.repo, place.data, {.filters = held_filters({"seal"})}}.obstacle().value_or("").find(
            "M vault/old") != std::string::npos);
  at(place.repo, "echo changed >a.txt");
  CHECK(Clone{place.repo, place.data, {}}.obstacle().value_or("").find("M a.txt") != std::string::npos);
}
