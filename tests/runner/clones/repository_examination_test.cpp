#include "runner/clones/repository_examination.hpp"

#include <algorithm>

#include "runner/worktrees/git_place.hpp"

using namespace andon;
using test::at;
using test::GitPlace;

namespace fs = std::filesystem;

namespace {

using Kind = service::RepositoryFindingKind;

struct ExaminedPlace : GitPlace {
  fs::path top = fs::canonical(scratch.path());

  service::ExaminedRepository examine(std::string const& repo, std::string const& branch = {},
                                      std::string const& folder = {}) const {
    auto found = runner::examine_repository({repo, branch, folder}, data, {});
    REQUIRE(found);
    return *std::move(found);
  }
};

/// The findings of one kind, a line for each.
std::string lines(service::ExaminedRepository const& found, Kind kind) {
  std::string out;
  for (auto const& each : found.findings)
    if (each.kind == kind) out += each.what + ": " + each.effect + "; " + each.remedy + "\n";
  return out;
}

/// What a script makes of a repository, and the notes about it that follow.
struct NoteRow {
  char const* script;
  char const* note;
};

}  // namespace

TEST_CASE("RepositoryExamination.AnUsualRepositoryHasFactsOnly") {
  ExaminedPlace const place;
  auto const found = place.examine(place.repo);
  CHECK(found.branch == "main");
  CHECK(lines(found, Kind::note) == "");
  CHECK(lines(found, Kind::refused) == "");
  auto const facts = lines(found, Kind::fact);
  CHECK(facts.contains("the branch is main (" + place.head().substr(0, 7) + "): work begins there"));
  CHECK(facts.contains("2 files, 0 objects in packs of 0 MiB and 3 loose ones"));
}

TEST_CASE("RepositoryExamination.NotesWhatMatters") {
  for (auto const& [script, note] : {
           NoteRow{"echo '*.bin filter=lfs -text' >.gitattributes; git add .; git commit -qm x",
                   "files are stored by git-lfs"},
           NoteRow{"mkdir -p in; echo 'vault/** filter=seal' >in/.gitattributes; git add .; git commit -qm x",
                   "files have filters: seal: work trees have these files as git stores them"},
           NoteRow{"echo '*.txt working-tree-encoding=UTF-16LE' >.git/info/attributes",
                   "another encoding in work trees: UTF-16LE"},
           NoteRow{"git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),part; git commit -qm x",
                   "1 submodule: none is in a new work tree: the folder of each is empty there"},
           NoteRow{"printf '#!/bin/sh\\n' >.git/hooks/pre-commit; chmod +x .git/hooks/pre-commit",
                   "hooks: pre-commit: Andon runs none"},
           NoteRow{"git config commit.gpgSign true", "commit.gpgsign is true: Andon has no key"},
           NoteRow{"git config core.sparseCheckout true",
                   "core.sparsecheckout is true: the work trees of tasks"},
           NoteRow{"git config core.fileMode false", "core.filemode is false: "},
           NoteRow{"git config core.hooksPath githooks", "core.hookspath is githooks: Andon runs no hooks"},
           NoteRow{"git checkout -qb develop", "the branch develop is checked out: work begins at main"},
           NoteRow{"git checkout -q --detach", "no branch is checked out: work begins at main"},
           NoteRow{"git rev-parse HEAD >.git/shallow", "the history is shallow"},
       }) {
    ExaminedPlace const place;
    at(place.repo, script);
    auto const found = place.examine(place.repo);
    INFO(script);
    CHECK(lines(found, Kind::note).contains(note));
    CHECK(std::ranges::count(lines(found, Kind::note), '\n') == 1);
    CHECK(lines(found, Kind::refused) == "");
  }
}

TEST_CASE("RepositoryExamination.AWorkTreeOrASubmoduleIsNamed") {
  ExaminedPlace const place;
  at(place.repo, "git worktree add -q -b feature ../linked");
  auto const linked = place.examine(place.top / "linked");
  CHECK(linked.branch == "feature");
  CHECK(lines(linked, Kind::note)
            .contains("a linked work tree of " + (place.top / "repo/.git").native() +
                      ": work begins at feature and lands there"));
  at(place.top,
     "git init -q -b main above; cd above; "
     "git -c protocol.file.allow=always submodule --quiet add \"$PWD/../repo\" part; git commit -qm first");
  auto const part = place.examine(place.top / "above/part");
  CHECK(part.branch == "main");
  CHECK(lines(part, Kind::note).contains("a submodule, whose repository is "));
}

TEST_CASE("RepositoryExamination.WhatCannotWorkIsRefusedWithARemedy") {
  ExaminedPlace const place;
  at(place.top,
     "git clone -q --bare repo bare.git; git init -q empty; mkdir plain; git init -q gone; "
     "git -C repo config uploadpack.allowFilter true; "
     "git clone -q --no-local --filter=blob:none --no-checkout \"file://$PWD/repo\" partial");
  auto const refusal = [&](char const* name) {
    auto const found = place.examine(place.top / name);
    return lines(found, Kind::refused);
  };
  CHECK(refusal("bare.git").contains("its URL file://" + (place.top / "bare.git").native()));
  CHECK(refusal("empty").contains("has no commit to start from; make a first one"));
  CHECK(refusal("plain").contains("make one there: git init"));
  CHECK(refusal("partial").contains("git fetch --refetch --no-filter"));
  CHECK(lines(place.examine(place.repo, "release", {}), Kind::refused).contains("make this one there"));
  CHECK(
      lines(place.examine(place.repo, {}, "app"), Kind::refused).contains("the folder app is not in main: "));
}

TEST_CASE("RepositoryExamination.AFolderIsPartOfItsRepository") {
  ExaminedPlace const place;
  at(place.repo,
     "mkdir -p packages/app; echo 1 >packages/app/x; git add .; git commit -qm app; ln -s packages alias");
  auto const found = place.examine(place.repo / "packages/app");
  CHECK(found.repo == place.top / "repo");
  CHECK(found.folder == "packages/app");
  CHECK(lines(found, Kind::note).contains("agents work in the folder packages/app of "));
  CHECK(place.examine(place.repo, {}, "packages/app").repo == place.repo);
  CHECK(lines(place.examine(place.repo, {}, "alias"), Kind::refused).contains("is not in main"));
  CHECK(lines(place.examine(place.repo / "packages", {}, "app"), Kind::refused)
            .contains("name the top directory as the repository: "));
}

TEST_CASE("RepositoryExamination.APathOfAnotherHostIsNoRefusal") {
  ExaminedPlace const place;
  auto const found = place.examine(place.top / "elsewhere");
  CHECK(lines(found, Kind::refused) == "");
  CHECK(lines(found, Kind::note).contains("is not on this machine"));
}

TEST_CASE("RepositoryExamination.ARemoteIsAskedForItsDefaultBranch") {
  ExaminedPlace const place;
  std::string const url = "file://" + place.repo.native();
  auto const before = place.examine(url);
  CHECK(before.branch == "main");
  CHECK(lines(before, Kind::fact).contains("Andon has no clone of it yet"));
  REQUIRE(runner::Clone{url, place.data, {}}.refresh());
  CHECK(lines(place.examine(url), Kind::fact).contains("2 files, "));
  CHECK(lines(place.examine(url + "-gone"), Kind::note).contains("the remote does not answer"));
  auto const left = std::ranges::count_if(fs::directory_iterator{place.data.root}, [](auto const& each) {
    return each.path().filename().native().starts_with("examination-");
  });
  CHECK(left == 0);
}

TEST_CASE("RepositoryExamination.NothingTheRepositoryConfiguresIsRun") {
  ExaminedPlace const place;
  place.set_traps();
  auto const before = at(place.repo, "find .git -type f | sort | xargs sha256sum");
  CHECK(lines(place.examine(place.repo), Kind::note).contains("files have filters: a=b, evil"));
  CHECK_FALSE(place.was_sprung());
  CHECK(at(place.repo, "find .git -type f | sort | xargs sha256sum") == before);
}
