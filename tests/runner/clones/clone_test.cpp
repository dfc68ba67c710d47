#include "runner/clones/clone.hpp"

#include <csignal>
#include <sys/stat.h>

#include "os/processes/process.hpp"
#include "runner/clones/remote_access.hpp"
#include "runner/clones/remote_place.hpp"
#include "runner/profiles/sandbox.hpp"
#include "runner/worktrees/repository.hpp"
#include "runner/worktrees/workspace.hpp"

using namespace andon;
using namespace andon::runner;
using test::at;
using Place = test::RemotePlace;

namespace fs = std::filesystem;

namespace {

/// All that a directory holds, in one text.
std::string everything_in(fs::path const& directory) {
  return at(directory, "grep -rhaE . . 2>/dev/null || true");
}

bool is_refused(core::Result<void> const& done, std::string_view why) {
  return !done && done.error().field == "repo" && done.error().message.find(why) != std::string::npos;
}

}  // namespace

TEST_CASE("Clone.FollowsTheBranchesOfItsRemote") {
  Place place;
  auto const clone = place.clone();
  REQUIRE(clone.refresh());
  auto repository = open_repository(clone.repo());
  REQUIRE(repository);
  CHECK(repository->default_branch == "main");
  CHECK(repository->tip == place.remote("main"));
  struct stat about{};
  REQUIRE(::stat(clones_of(place.data).c_str(), &about) == 0);
  CHECK((about.st_mode & 0777U) == 0700U);

  at(place.person,
     "git checkout -qb topic; git commit -q --allow-empty -m topic; git tag v1; git push -q origin "
     "topic v1; git checkout -q main; git commit -q --allow-empty -m next; git push -q origin main");
  REQUIRE(clone.refresh());
  CHECK(open_repository(clone.repo())->tip == place.remote("main"));
  CHECK(at(clone.repo(), "git rev-parse origin/topic v1") ==
        place.remote("topic") + "\n" + place.remote("v1"));

  at(place.person,
     "git push -q origin :topic; git branch -qD topic; git push -q origin main:main/2 2>/dev/null || true; "
     "git checkout -qb "
     "topic/a; git push -q origin topic/a; git checkout -q main; git reset -q --hard HEAD~1; git push -qf "
     "origin main");
  at(place.bare, "git symbolic-ref HEAD refs/heads/topic/a");
  REQUIRE(clone.refresh());
  CHECK(open_repository(clone.repo())->default_branch == "topic/a");
  CHECK(at(clone.repo(), "git for-each-ref --format='%(refname)' refs/remotes") ==
        "refs/remotes/origin/HEAD\nrefs/remotes/origin/main\nrefs/remotes/origin/topic/a");
}

TEST_CASE("Clone.WhatAnAgentWroteIntoItTakesNoPartInAFetchOrAPush") {
  Place place;
  auto const clone = place.clone();
  REQUIRE(clone.refresh());
  auto const marker = place.scratch / "marker";
  auto const trap = "touch " + marker.native();
  at(clone.repo(),
     "mkdir -p .git/hooks; for hook in pre-push reference-transaction post-checkout; do printf "
     "'#!/bin/sh\\n" +
         trap +
         "\\n' >.git/hooks/$hook; chmod +x .git/hooks/$hook; done; git config "
         "core.sshCommand '" +
         trap + "'; git config credential.helper '!" + trap + "'; git config remote.origin.uploadpack '" +
         trap +
         "'; git config url./nowhere.insteadOf file://; "
         "git config core.fsmonitor '" +
         trap +
         "'; git update-ref refs/heads/main "
         "$(git commit-tree -m evil HEAD^{tree}); git symbolic-ref refs/remotes/origin/HEAD "
         "refs/remotes/origin/evil");
  at(place.person, "git commit -q --allow-empty -m next; git push -q origin main");
  // Nor what an agent wrote into a remote that is a directory.
  at(place.bare, "mkdir -p hooks; for hook in pre-receive update post-receive; do printf '#!/bin/sh\\n" +
                     trap + "\\n' >hooks/$hook; chmod +x hooks/$hook; done");
  fs::remove(marker);  // of the commands above
  REQUIRE(clone.refresh());
  auto const repository = open_repository(clone.repo());
  REQUIRE(repository);
  CHECK(repository->default_branch == "main");
  CHECK(repository->tip == place.remote("main"));
  CHECK_FALSE(clone.publish("andon/1-cart", repository->tip));
  CHECK(place.remote("andon/1-cart") == repository->tip);
  CHECK_FALSE(fs::exists(marker));
}

TEST_CASE("Clone.AHalfCloneIsNeverTakenForAWholeOne") {
  Place place;
  auto const clone = place.clone();
  auto const folder = clone_folder(place.data, place.url);
  auto const half = unfinished_clone(folder);
  fs::create_directories(half / "repo/.git/objects/pack");
  at(half, "echo rubbish >repo/.git/objects/pack/tmp_pack_1; echo ref: refs/heads/x >repo/.git/HEAD");
  CHECK_FALSE(clone.exists());
  REQUIRE(clone.refresh());
  CHECK(open_repository(clone.repo())->tip == place.remote("main"));
  CHECK_FALSE(fs::exists(half));
  CHECK_FALSE(fs::exists(folder / "repo/.git/objects/pack/tmp_pack_1"));

  // One whose URL nobody asks for again.
  auto const other = unfinished_clone(clone_folder(place.data, "file:///gone"));
  fs::create_directories(other / "repo");
  REQUIRE(clone.refresh());
  CHECK_FALSE(fs::exists(other));
}

TEST_CASE("Clone.IsWholeWheneverTheProcessThatMakesItIsKilled") {
  Place place;
  at(place.person,
     "for i in 1 2 3 4 5 6 7 8 9; do head -c 300000 /dev/urandom >f$i; done; git add .; git commit -qm "
     "big; git push -q origin main");
  for (int wait = 0; wait < 60; wait += 4) {
    CAPTURE(wait);
    auto const data = os::data_directory(place.scratch / ("data-" + std::to_string(wait)));
    Clone const clone{place.url, data, {}};
    auto const pid = ::fork();
    REQUIRE(pid >= 0);
    if (pid == 0) {
      static_cast<void>(clone.refresh());
      ::_exit(0);
    }
    ::usleep(static_cast<useconds_t>(wait) * 1000);
    ::kill(pid, SIGKILL);
    os::reap(pid);
    if (clone.exists()) CHECK(open_repository(clone.repo())->tip == place.remote("main"));
    auto const again = clone.refresh();
    REQUIRE_MESSAGE(again, (again ? std::string{} : again.error().message));
    CHECK(at(clone.repo(), "git fsck --connectivity-only 2>&1 | grep -v dangling || true") == "");
  }
}

TEST_CASE("Clone.TheLeastRecentlyUsedOneThatNothingNeedsMakesRoom") {
  Place place;
  std::vector<std::string> urls;
  for (auto const* name : {"one", "two", "three"}) {
    place.make_remote(place.scratch / name, place.scratch / (std::string{name} + "-own"));
    urls.push_back("file://" + (place.scratch / name).native());
  }
  CloneLimits const two{.clones = 2};
  auto const exists = [&](std::size_t which) { return place.clone_of(urls[which]).exists(); };
  REQUIRE(place.clone_of(urls[0], two).refresh());
  REQUIRE(place.clone_of(urls[1], two).refresh());
  CHECK(is_refused(place.clone_of(urls[2], two).refresh(), "all are in use"));  // used a moment ago
  place.let_rest(urls[0], 60);
  place.let_rest(urls[1], 30);
  SUBCASE("the older one goes") {
    REQUIRE(place.clone_of(urls[2], two).refresh());
    CHECK_FALSE(exists(0));
    CHECK(exists(1));
  }
  SUBCASE("one with a work tree stays") {
    auto const spec =
        WorkspaceSpec{.repo = place.clone_of(urls[0]).repo(), .directory = place.scratch / "work/7-cart"};
    REQUIRE(prepare_workspace(spec, use_for(spec)));
    REQUIRE(place.clone_of(urls[2], two).refresh());
    CHECK(exists(0));
    CHECK_FALSE(exists(1));
  }
  SUBCASE("one in which work lands stays") {
    auto const held = place.clone_of(urls[0]).hold();
    REQUIRE(held);
    CHECK_FALSE(place.clone_of(urls[0]).hold());
    REQUIRE(place.clone_of(urls[2], two).refresh());
    CHECK(exists(0));
  }
  SUBCASE("bytes count too") {
    CloneLimits const none{.clones = 9, .bytes = 1};
    CHECK(is_refused(place.clone_of(urls[2], none).refresh(), "MiB"));
    CHECK_FALSE(exists(0));
    CHECK_FALSE(exists(1));
    CHECK_FALSE(exists(2));
    CHECK_FALSE(fs::exists(unfinished_clone(clone_folder(place.data, urls[2]))));
  }
}

TEST_CASE("Clone.ARemoteThatCannotBeReachedIsNamedAtOnce") {
  Place place;
  CHECK(is_refused(place.clone_of("file:///nowhere/shop.git").refresh(), "file:///nowhere/shop.git"));
  CHECK(is_refused(place.clone_of("http://127.0.0.1:1/shop.git").refresh(), "127.0.0.1"));
  CHECK(is_refused(place.clone_of("ext::sh -c 'touch " + (place.scratch / "marker").native() + "'").refresh(),
                   "https://"));
  CHECK(is_refused(place.clone_of("--upload-pack=touch marker").refresh(), "-"));
  CHECK_FALSE(fs::exists(place.scratch / "marker"));
  at(place.scratch.path(), "git init -q --bare empty.git");
  CHECK(is_refused(place.clone_of("file://" + (place.scratch / "empty.git").native()).refresh(),
                   "first commit"));
}

TEST_CASE("Clone.CredentialsThatOthersCanReadAreRefused") {
  Place place;
  for (auto const* name : {"credentials", "ssh_key", "known_hosts"}) {
    auto const file = place.data.root / "git" / name;
    os::make_private_directory(file.parent_path());
    os::write_file(file, "https://ann:sesame@example.org\n", 0640);
    CHECK(is_refused(place.clone().refresh(), "chmod 600 " + file.native()));
    fs::permissions(file, fs::perms{0600});
    CHECK(place.clone().refresh());
  }
}

TEST_CASE("Clone.CredentialsAreInNoFileAndNoEnvironment") {
  Place place;
  os::make_private_directory(place.data.root / "git");
  os::write_file(place.data.root / "git/credentials", "https://ann:sesame@example.org\n", 0600);
  auto const clone = place.clone();
  REQUIRE(clone.refresh());
  CHECK_FALSE(clone.publish("andon/1-cart", place.remote("main")));
  CHECK(everything_in(clone_folder(place.data, place.url)).find("sesame") == std::string::npos);
  CHECK(everything_in(clone_folder(place.data, place.url)).find("git/credentials") == std::string::npos);
  auto const access = remote_access(place.data.root);
  REQUIRE(access);
  for (auto const& argument : access->arguments) CHECK(argument.find("sesame") == std::string::npos);
  for (auto const& [name, value] : access->environment) CHECK(value.find("sesame") == std::string::npos);
}

TEST_CASE("Clone.TheHelperAnswersAndForgetsNothing") {
  Place place;
  os::make_private_directory(place.data.root / "git");
  auto const file = place.data.root / "git/credentials";
  os::write_file(file, "https://ann:sesame@example.org\n", 0600);
  auto const access = remote_access(place.data.root);
  REQUIRE(access);
  std::string options;
  for (auto const& argument : access->arguments) {
    std::string quoted;
    for (char const c : argument) quoted += c == '\'' ? std::string{"'\\''"} : std::string{c};
    options += " '" + quoted + "'";
  }
  auto const ask = [&](std::string const& what, std::string const& more) {
    return at(place.scratch.path(), "printf 'protocol=https\\nhost=example.org\\n" + more +
                                        "\\n' | GIT_TERMINAL_PROMPT=0 git" + options + " credential " + what);
  };
  CHECK(ask("fill", "").find("password=sesame") != std::string::npos);
  ask("reject", "username=ann\\npassword=sesame\\n");
  ask("approve", "username=bob\\npassword=other\\n");
  CHECK(os::read_file(file, 1000) == "https://ann:sesame@example.org\n");
}

TEST_CASE("Clone.NoSandboxOpensTheCredentials") {
  Place place;
  SandboxNeeds const needs{.program = "/usr/bin/env",
                           .andon_directory = "/usr/bin",
                           .data = place.data.root,
                           .run_dir = place.data.root / "work/runs/1",
                           .cwd = place.data.root / "work/shop/1-cart",
                           .environment = {"HOME=" + place.scratch.path().native(), "PATH=/usr/bin"},
                           .folders = {}};
  auto const spec = sandbox_of(needs);
  auto const closed = fs::weakly_canonical(place.data.root / "git").native();
  for (auto const& list : {spec.reads, spec.changes})
    for (auto const& open : list) {
      CAPTURE(open);
      CHECK_FALSE((closed + "/").starts_with(open.ends_with('/') ? open : open + "/"));
      CHECK_FALSE(open.starts_with(closed));
    }
  for (auto const* inside : {"git", "clones/1/remote"})
    CHECK(fault_of_work_directory(place.data.root / inside, place.data.root, place.scratch.path()) != "");
}
