#include "runner/clones/remote_place.hpp"
#include "runner/supervision/supervised_run.hpp"

using namespace andon;
using namespace andon::runner;
using test::at;

namespace fs = std::filesystem;

namespace {

constexpr char kCommit[] =
    "export GIT_AUTHOR_NAME=dev GIT_AUTHOR_EMAIL=d@e.f GIT_COMMITTER_NAME=dev GIT_COMMITTER_EMAIL=d@e.f; "
    "echo two "
    ">a.txt; git commit -qam cart";

/// A run of a shell script in a work tree of a clone, under a real supervising process.
struct RunInClone : test::RemotePlace {
  explicit RunInClone(std::string const& script) : run({"/bin/sh", "-c", script}) {
    WorkspaceSpec workspace;
    workspace.repo = repository_directory(url, data);
    workspace.directory = data.work / "shop/42-cart";
    workspace.title = "Cart";
    workspace.origin = url;
    workspace.data = data.root;
    run.spec.workspace = workspace;
    run.spec.cwd = workspace.directory;
    run.spec.records = data.repositories();
    run.spec.worker = "dev";
  }
  EndRecord end() {
    run.start();
    return run.end();
  }

  test::SupervisedRun run;
};

}  // namespace

TEST_CASE("RunInClone.TheWorkIsOnTheRemoteWhenTheRunHasEnded") {
  RunInClone place{kCommit + std::string{"; env >env.txt; git config --list >config.txt"}};
  os::make_private_directory(place.data.root / "git");
  os::write_file(place.data.root / "git/credentials", "https://ann:sesame@example.org\n", 0600);
  auto const record = place.end();
  CAPTURE(record.error);
  CHECK_FALSE(record.error_class);
  REQUIRE_FALSE(record.head.empty());
  CHECK(record.branch == "andon/42-cart");
  CHECK(place.remote("andon/42-cart") == record.head);
  CHECK(at(place.bare, "git show andon/42-cart:a.txt") == "two");
  for (auto const* seen : {"env.txt", "config.txt"}) {
    auto const text = at(place.bare, std::string{"git show andon/42-cart:"} + seen);
    CHECK(text.find("sesame") == std::string::npos);
    CHECK(text.find("git/credentials") == std::string::npos);
    CHECK(text.find("GIT_SSH_COMMAND") == std::string::npos);
  }
}

TEST_CASE("RunInClone.WorkThatCannotBePushedIsLeftToAPerson") {
  RunInClone place{kCommit};
  place.run.spec.argv.back() += "; mv " + place.bare.native() + " " + (place.scratch / "hidden").native();
  auto const record = place.end();
  CHECK(record.error_class == ErrorClass::workspace);
  CHECK(record.error.find("on this host only") != std::string::npos);
  CHECK(record.error.find(place.url) != std::string::npos);
  CHECK_FALSE(record.head.empty());
}

TEST_CASE("RunInClone.ARemoteThatIsNotThereEndsTheRunBeforeItsAgentStarts") {
  RunInClone place{"touch started"};
  fs::rename(place.bare, place.scratch / "hidden");
  auto const record = place.end();
  CHECK(record.error_class == ErrorClass::workspace);
  CHECK(record.error.find(place.url) != std::string::npos);
}

TEST_CASE("RunInClone.WorkWithoutCommitsIsNotPushed") {
  RunInClone place{"true"};
  auto const record = place.end();
  CHECK_FALSE(record.error_class);
  CHECK(at(place.bare, "git for-each-ref --format='%(refname:short)' refs/heads") == "main");
}
