#include "runner/merging/one_commit.hpp"

#include "os/files/file.hpp"
#include "runner/dispatch/local_workspace_port.hpp"
#include "runner/merging/merge_yard.hpp"
#include "service/runs/landing_verdict.hpp"
#include "service/runs/revert.hpp"
#include "service/runs/work.hpp"

using namespace andon;
using namespace andon::runner;
using core::LandingState;
using test::at;

namespace {

constexpr char kToken[] = "tok-0123456789abcdef";
constexpr char kSecretScript[] =
    "echo tok-0123456789abcdef >a.txt; git commit -qam 'use tok-0123456789abcdef';"
    "echo two >a.txt; git commit -qam 'no token'; echo two >b.txt; git commit -qam basket";

/// A yard that knows a secret, with work that a person is asked about.
struct SecretYard : test::MergeYard {
  SecretYard() {
    os::make_private_directory(data.root);
    os::write_file(data.token, kToken);
  }
  core::Run work_with_secret() {
    auto run = work("Cart", kSecretScript);
    land_all();
    REQUIRE(landing(run).state == LandingState::asked);
    return run;
  }
  void answer(core::Run const& run, bool squash) {
    service::JudgeLandingRequest request;
    request.id = {std::to_string(run.task)};
    request.squash = squash;
    REQUIRE(client.call<&service::judge_landing>(request));
  }
  core::Run landed_as_one_commit() {
    auto run = work_with_secret();
    answer(run, true);
    land_all();
    REQUIRE(landing(run).state == LandingState::landed);
    return run;
  }
  std::string history() { return at(repo, "git log -p --format=%an:%ae:%cn:%B main"); }
  service::WorkList list() {
    LocalWorkspacePort port(executor, data, os::own_environment(), {});
    executor.set_workspace_port(port);
    auto const out = client.call<&service::list_work, service::WorkList>(service::WorkListRequest{});
    REQUIRE(out);
    return *out;
  }
};

}  // namespace

TEST_CASE("OneCommit.HasTheFilesOfTheWorkAndNothingOfItsHistory") {
  SecretYard yard;
  auto const before = yard.head();
  auto const run = yard.landed_as_one_commit();
  CHECK(yard.history().find(kToken) == std::string::npos);
  CHECK(at(yard.repo, "git log --format=%s main") == "Cart\nfirst");
  CHECK(at(yard.repo, "git log -1 --format='%B%an %ae %cn' main") ==
        "Cart\n\nTask #1\nAndon andon@andon.invalid Andon");
  CHECK(at(yard.repo, "git rev-parse main^") == before);
  CHECK(at(yard.repo, "cat a.txt b.txt; git status --porcelain") == "two\ntwo");
  CHECK(at(yard.repo, "git cat-file -e " + run.head + " 2>/dev/null || echo absent") == "absent");
  CHECK_FALSE(std::filesystem::exists(yard.tree_of(run)));
  CHECK(yard.list().trees.empty());
  CHECK(yard.list().kept.empty());
  CHECK(at(yard.clone().repo(), "git for-each-ref 'refs/heads/andon/*'") == "");
}

TEST_CASE("OneCommit.StandsOnWhatOthersLandedMeanwhile") {
  SecretYard yard;
  auto const run = yard.work_with_secret();
  at(yard.repo, "echo later >c.txt; git add .; git commit -qm later");
  yard.answer(run, true);
  yard.land_all();
  CHECK(yard.landing(run).state == LandingState::landed);
  CHECK(yard.landing(run).commit == yard.head());
  CHECK(at(yard.repo, "git log --format=%s main; cat a.txt c.txt") == "Cart\nlater\nfirst\ntwo\nlater");
  CHECK(yard.history().find(kToken) == std::string::npos);
}

TEST_CASE("OneCommit.WithASecretInItsFilesIsAskedAboutAgain") {
  SecretYard yard;
  auto const run = yard.work("Cart", std::string{kSecretScript} + "; echo " + kToken + " >new.txt");
  yard.land_all();
  REQUIRE(yard.landing(run).state == LandingState::asked);
  yard.answer(run, true);
  yard.land_all();
  CHECK(yard.landing(run).state == LandingState::asked);
  CHECK(yard.head() == run.base);
}

TEST_CASE("OneCommit.ThatStillHasALikelySecretIsAskedAboutAgainAndLandsWhenAllowed") {
  SecretYard yard;
  std::string const token = std::string{"ghp"} + "_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";
  auto const run = yard.work(
      "Cart", "echo tok-0123456789abcdef >a.txt; git commit -qam slip; echo two >a.txt; echo 't=" + token +
                  "' >b.txt; git commit -qam work");
  yard.land_all();
  REQUIRE(yard.landing(run).state == LandingState::asked);
  yard.answer(run, true);
  yard.land_all();
  REQUIRE(yard.landing(run).state == LandingState::asked);
  CHECK(yard.landing(run).findings.size() == 1);
  CHECK(yard.landing(run).findings.front().limit == "secret_files");
  yard.answer(run, true);
  yard.answer(run, true);
  yard.land_all();
  CHECK(yard.landing(run).state == LandingState::landed);
  CHECK(at(yard.repo, "git log --format=%s main") == "Cart\nfirst");
}

TEST_CASE("OneCommit.ThatWasPlannedBeforeACrashIsFinishedOrMadeAgain") {
  for (auto const moved : {false, true}) {
    SecretYard yard;
    auto const run = yard.work_with_secret();
    yard.answer(run, true);
    auto const onto = yard.head();
    at(yard.repo,
       "git fetch -q " + yard.clone().repo().native() + " refs/andon/runs/" + std::to_string(run.id));
    auto const planned = at(yard.repo, "git commit-tree -p " + onto + " -m planned " + run.head + "^{tree}");
    REQUIRE(yard.client.call<&service::plan_landing>(service::PlanLandingRequest{run.id, planned, onto}));
    if (moved) at(yard.repo, "git merge -q --ff-only " + planned);
    INFO(moved);
    yard.land_all();
    CHECK(yard.landing(run).state == LandingState::landed);
    CHECK(at(yard.repo, "git rev-list --count main; git status --porcelain") == "2");
    CHECK(yard.landing(run).commit == yard.head());
    if (moved) CHECK(yard.head() == planned);
    CHECK_FALSE(std::filesystem::exists(yard.tree_of(run)));
  }
}

TEST_CASE("OneCommit.OfAnEarlierAttemptDoesNotLandAgainFromItsTree") {
  SecretYard yard;
  auto const first = yard.work_with_secret();
  at(yard.tree_of(first), "echo mine >left.txt");  // so that the tree stays
  yard.answer(first, true);
  yard.land_all();
  REQUIRE(yard.landing(first).state == LandingState::landed);
  auto trees = yard.list().trees;
  REQUIRE(trees.size() == 1);
  CHECK(trees.front().unlanded == 0);
  at(yard.tree_of(first), "rm left.txt");
  at(yard.repo, "echo three >a.txt; git commit -qam three");

  yard.take_up_again(first);
  auto const second = yard.work("echo new >new.txt; git add .; git commit -qm second");
  REQUIRE(second.task == first.task);
  CHECK(yard.list().trees.front().unlanded == 1);
  yard.land_all();
  CHECK(yard.landing(second).state == LandingState::landed);
  CHECK(at(yard.repo, "git log --format=%s main; cat a.txt b.txt new.txt") ==
        "second\nthree\nCart\nfirst\nthree\ntwo\nnew");
  CHECK(yard.history().find(kToken) == std::string::npos);
}

TEST_CASE("OneCommit.IsMadeAgainWhereALaterAttemptWouldBringTheHistoryByAMerge") {
  SecretYard yard;
  auto const first = yard.work_with_secret();
  at(yard.tree_of(first), "echo mine >left.txt");
  yard.answer(first, true);
  yard.land_all();
  REQUIRE(yard.landing(first).state == LandingState::landed);
  yard.take_up_again(first);
  auto const second =
      yard.work("rm left.txt; git fetch -q origin 2>&1 || true; git merge -q -X theirs -m join " +
                yard.head() + "; echo new >new.txt; git add .; git commit -qm second");
  yard.land_all();
  CHECK(yard.landing(second).state == LandingState::landed);
  CHECK(at(yard.repo, "cat a.txt new.txt; git rev-list --count main") == "two\nnew\n3");
  CHECK(yard.history().find(kToken) == std::string::npos);
}

TEST_CASE("OneCommit.AConflictOfALaterAttemptNamesTheCommitsToRebase") {
  SecretYard yard;
  auto const first = yard.work_with_secret();
  at(yard.tree_of(first), "echo mine >left.txt");
  yard.answer(first, true);
  yard.land_all();
  at(yard.tree_of(first), "rm left.txt");
  at(yard.repo, "echo three >a.txt; git commit -qam three");
  yard.take_up_again(first);
  auto const second = yard.work("echo four >a.txt; git commit -qam second");
  yard.land_all();
  CHECK(yard.landing(second).state == LandingState::returned);
  CHECK(yard.landing(second).reason.find("(git rebase --onto main " + first.head + ")") != std::string::npos);
}

TEST_CASE("OneCommit.IsTakenBackAndItsWorkLandsAgain") {
  SecretYard yard;
  auto const run = yard.landed_as_one_commit();
  service::RevertRequest request;
  request.id = {std::to_string(run.task)};
  REQUIRE(yard.client.call<&service::revert_task>(request));
  yard.land_all();
  CHECK(yard.run_now(run.id).revert->state == core::RevertState::reverted);
  CHECK(at(yard.repo, "cat a.txt b.txt; git rev-list --count main") == "one\none\n3");
  auto const again = yard.work("echo again >a.txt; git commit -qam again");
  yard.land_all();
  CHECK(yard.landing(again).state == LandingState::landed);
  CHECK(at(yard.repo, "cat a.txt") == "again");
  CHECK(yard.history().find(kToken) == std::string::npos);
}

TEST_CASE("OneCommit.ThatChangesNothingIsNotMade") {
  SecretYard yard;
  auto const before = yard.head();
  auto const run = yard.work("Cart", "echo " + std::string{kToken} +
                                         " >new.txt; git add .; git commit -qm one;"
                                         "git rm -q new.txt; git commit -qm two");
  yard.land_all();
  REQUIRE(yard.landing(run).state == LandingState::asked);
  yard.answer(run, true);
  yard.land_all();
  CHECK(yard.landing(run).state == LandingState::landed);
  CHECK(yard.head() == before);
}

TEST_CASE("OneCommit.HasASafeSubjectOfOneLine") {
  core::Task task;
  task.id = 7;
  task.key = "SHOP-7";
  task.title = "Cart\nTask #1\x1b[31m";
  CHECK(message_of_one_commit(task) == "Cart\\nTask #1\\x1b[31m\n\nTask #7 (SHOP-7)\n");
  task.title = std::string(80, 'a');
  CHECK(message_of_one_commit(task) == std::string(72, 'a') + "\n\nTask #7 (SHOP-7)\n");
  task.title = "   ";
  CHECK(message_of_one_commit(task).starts_with("Work on task #7\n"));
}
