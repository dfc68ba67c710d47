#include "runner/merging/merge_queue.hpp"

#include <fstream>
#include <future>
#include <set>
#include <sys/stat.h>
#include <thread>

#include "os/files/file.hpp"
#include "os/processes/confinement.hpp"
#include "runner/absent_board.hpp"
#include "runner/dispatch/local_workspace_port.hpp"
#include "runner/merging/merge_yard.hpp"
#include "runner/merging/worktree_gc.hpp"
#include "runner/supervision/survivors.hpp"

using namespace andon;
using namespace andon::runner;
using core::LandingState;
using core::Stage;
using test::at;
using Yard = test::MergeYard;

TEST_CASE("MergeQueue.AcceptedWorkComesIntoTheDefaultBranchInOrder") {
  Yard yard;
  auto const first = yard.work("Cart", "echo two >a.txt; git commit -qam cart");
  auto const second = yard.work("Basket", "echo two >b.txt; git commit -qam basket");
  CHECK(yard.landing(first).state == LandingState::waiting);
  yard.land_all();
  CHECK(yard.landing(first).state == LandingState::landed);
  CHECK(yard.landing(second).state == LandingState::landed);
  CHECK(at(yard.repo, "git log --format=%s main") == "basket\ncart\nfirst");
  CHECK(at(yard.repo, "cat a.txt b.txt; git status --porcelain") == "two\ntwo");
  CHECK(yard.landing(second).commit == yard.head());
  CHECK_FALSE(std::filesystem::exists(yard.tree_of(first)));
  CHECK(at(yard.repo, "git branch --list 'andon/*'") == "");
}

TEST_CASE("MergeQueue.AConflictGoesBackWithItsFilesAndTheNextAttemptResolvesIt") {
  Yard yard;
  auto const first = yard.work("Cart", "echo cart >a.txt; git commit -qam cart");
  auto const second = yard.work(
      "Basket", "git reset -q --hard " + yard.head() + "; echo basket >a.txt; git commit -qam basket");
  yard.land_all();
  CHECK(yard.landing(first).state == LandingState::landed);
  CHECK(yard.landing(second).state == LandingState::returned);
  auto const back = yard.task(second.task);
  CHECK(back.stage == Stage::ready);
  CHECK(yard.landing(second).reason.find("a.txt") != std::string::npos);
  auto const third = yard.work(
      "git rebase main || true; echo both >a.txt; git add .; "
      "GIT_EDITOR=true git rebase --continue");
  CHECK(third.task == second.task);
  CHECK(third.attempt == 2);
  yard.land_all();
  CHECK(yard.landing(third).state == LandingState::landed);
  CHECK(at(yard.repo, "cat a.txt") == "both");
}

TEST_CASE("MergeQueue.AConflictThatWasResolvedByAMergeLandsAsAMerge") {
  Yard yard;
  auto const first = yard.work("Cart", "echo cart >a.txt; git commit -qam cart");
  auto const second = yard.work(
      "Basket", "git reset -q --hard " + yard.head() + "; echo basket >a.txt; git commit -qam basket");
  yard.land_all();
  auto const third = yard.work("git merge main || true; echo both >a.txt; git add .; git commit -qm merged");
  at(yard.repo, "echo later >c.txt; git add .; git commit -qm later");
  yard.land_all();
  CHECK(yard.landing(third).state == LandingState::landed);
  CHECK(at(yard.repo, "cat a.txt c.txt") == "both\nlater");
}

TEST_CASE("MergeQueue.ChecksRunOnWhatTheBranchWillBe") {
  Yard yard({{"one",
              {"sh", "-c",
               "test \"$(cat a.txt b.txt)\" != \"$(printf 'two\\ntwo')\" || { echo both "
               "are two; exit 3; }"}}});
  auto const first = yard.work("Cart", "echo two >a.txt; git commit -qam cart");
  auto const second =
      yard.work("Basket", "git reset -q --hard " + yard.head() + "; echo two >b.txt; git commit -qam basket");
  yard.land_all();
  CHECK(yard.landing(first).state == LandingState::landed);
  CHECK(yard.landing(second).state == LandingState::returned);
  CHECK(yard.landing(second).reason.find("both are two") != std::string::npos);
  CHECK(at(yard.repo, "cat b.txt") == "one");
}

TEST_CASE("MergeQueue.LocalChangesAreNeverTouched") {
  Yard yard;
  auto const run = yard.work("Cart", "echo two >a.txt; git commit -qam cart");
  at(yard.repo, "echo mine >b.txt");
  yard.land_all();
  CHECK(yard.landing(run).state == LandingState::waiting);
  CHECK(yard.landing(run).reason.find("local changes on main") != std::string::npos);
  CHECK(yard.landing(run).reason.find('\n') == std::string::npos);
  CHECK(at(yard.repo, "cat a.txt b.txt") == "one\nmine");
  at(yard.repo, "git checkout -q b.txt; echo mine >new.txt");
  yard.land_all();
  CHECK(yard.landing(run).state == LandingState::landed);
  CHECK(at(yard.repo, "cat a.txt new.txt") == "two\nmine");
}

TEST_CASE("MergeQueue.AnUntrackedFileInTheWayIsKept") {
  Yard yard;
  auto const run = yard.work("Cart", "echo theirs >new.txt; git add .; git commit -qm cart");
  at(yard.repo, "echo mine >new.txt");
  yard.land_all();
  CHECK(yard.landing(run).state == LandingState::waiting);
  CHECK(at(yard.repo, "cat new.txt") == "mine");
  CHECK(yard.head() == yard.run_now(run.id).base);
}

TEST_CASE("MergeQueue.ABranchThatIsCheckedOutNowhereIsMovedAlone") {
  Yard yard;
  at(yard.repo, "git checkout -qb topic; echo mine >b.txt");
  auto const run = yard.work("Cart", "echo two >a.txt; git commit -qam cart");
  yard.land_all();
  CHECK(yard.landing(run).state == LandingState::landed);
  CHECK(at(yard.repo, "cat a.txt b.txt; git show main:a.txt") == "one\nmine\ntwo");
}

TEST_CASE("MergeQueue.WhatWasPlannedBeforeACrashIsFinishedOrBegunAgain") {
  for (auto const* crash :
       {"before the branch moved", "after it moved", "between the files and the branch"}) {
    Yard yard;
    auto const run = yard.work("Cart", "echo two >a.txt; git commit -qam cart");
    auto const base = yard.head();
    at(yard.repo, "echo later >c.txt; git add .; git commit -qm later");
    auto const onto = yard.head();
    at(yard.repo,
       "git fetch -q " + yard.clone().repo().native() + " refs/andon/runs/" + std::to_string(run.id));
    at(yard.repo, "git worktree add -q --detach ../joined " + run.head + "; git -C ../joined rebase -q main");
    auto const joined = at(yard.scratch / "joined", "git rev-parse HEAD");
    REQUIRE(yard.client.call<&service::plan_landing>(service::PlanLandingRequest{run.id, joined, onto}));
    std::string_view const what = crash;
    if (what.starts_with("after")) at(yard.repo, "git merge -q --ff-only " + joined);
    if (what.starts_with("between")) at(yard.repo, "git read-tree -m -u HEAD " + joined);
    INFO(what);
    yard.land_all();
    CHECK(yard.landing(run).state == LandingState::landed);
    CHECK(at(yard.repo, "git log --format=%s main; git status --porcelain") == "cart\nlater\nfirst");
    CHECK(yard.landing(run).commit == yard.head());
    if (!what.starts_with("before")) CHECK(yard.head() == joined);
    CHECK(yard.head() != base);
  }
}

TEST_CASE("MergeQueue.WorkThatWasTakenUpAgainIsNotLanded") {
  Yard yard;
  auto const run = yard.work("Cart", "echo two >a.txt; git commit -qam cart");
  yard.take_up_again(run);
  yard.land_all();
  CHECK(yard.landing(run).state == LandingState::withdrawn);
  CHECK(at(yard.repo, "cat a.txt") == "one");
}

TEST_CASE("MergeQueue.AServerThatStopsEndsItsCheckAndKeepsThePlace") {
  Yard yard({{"slow", {"sleep", "600"}}});
  auto const run = yard.work("Cart", "echo two >a.txt; git commit -qam cart");
  struct Stop {
    int asked = 0;
  } stop;
  MergeQueue merge_queue{
      yard.client, yard.data, {"PATH=/usr/bin:/bin"}, ANDON_SUPERVISE, [&] { return ++stop.asked > 1; }};
  merge_queue.step(yard.clock.now());
  CHECK(yard.landing(run).state == LandingState::waiting);
  CHECK(at(yard.repo, "cat a.txt") == "one");
}

TEST_CASE("MergeQueue.AChangedCheckScriptStaysInTheCageOfItsAgent") {
  Yard yard({{"tests", {"sh", "tests.sh"}}});
  yard.set_limits({.check_files = -1});
  test::Survivors const survivors;
  auto const key = yard.scratch / "home/.ssh/id";
  os::make_private_directory(key.parent_path());
  os::write_file(key, "the key");
  os::make_private_directory(yard.data.root);
  os::write_file(yard.data.token, "the token");
  auto const stolen = yard.scratch / "stolen";
  auto const main = yard.head();
  auto const run = yard.work("Cart", "cat >tests.sh <<'END'\n" + survivors.script() + "cat " + key.native() +
                                         " " + yard.data.token.native() + " | tee " + stolen.native() +
                                         "\ngit update-ref refs/heads/main HEAD; git update-ref refs/heads/x "
                                         "HEAD; echo more >here; git status; exit 0\nEND\n" +
                                         "git add .; git commit -qm cart");
  bool const is_caged = os::confinement_version() > 0;
  yard.land_all();
  CHECK(yard.landing(run).state == LandingState::landed);
  CHECK(survivors.count() == 0);
  CHECK(std::filesystem::exists(stolen) == !is_caged);
  if (is_caged) CHECK(at(yard.repo, "git branch --list x") == "");
  CHECK(yard.head() != main);
}

TEST_CASE("MergeQueue.ACheckInTheCageStillUsesGitAndItsTree") {
  Yard yard({{"tests",
              {"sh", "-ec",
               "git status; git diff HEAD; git log -1; git describe --always; "
               "echo made >made; test -s made; git stash list"}}});
  auto const run = yard.work("Cart", "echo two >a.txt; git commit -qam cart");
  yard.land_all();
  CHECK(yard.landing(run).reason == "");
  CHECK(yard.landing(run).state == LandingState::landed);
}

TEST_CASE("MergeQueue.NothingTheRepositoryConfiguresIsRun") {
  Yard yard;
  at(yard.repo, "git branch aside; git symbolic-ref HEAD refs/heads/aside");
  yard.set_traps();
  at(yard.repo, "echo 'c.txt diff=evil merge=evil' >>.git/info/attributes");
  auto const good = yard.work("Cart", "echo two >new.txt");
  auto const bad = yard.work("Basket", "echo two >c.txt");
  // The person's own git would spring the traps: the later commit is made of objects alone.
  at(yard.repo,
     "blob=$(echo three | git hash-object -w --no-filters --stdin); export GIT_INDEX_FILE=.git/aside;"
     "git -c core.fsmonitor=false read-tree main;"
     "git -c core.fsmonitor=false update-index --add --cacheinfo 100644,$blob,c.txt;"
     "git update-ref refs/heads/main $(git commit-tree -p main -m later $(git write-tree)); rm -f '" +
         yard.marker().native() + "'");
  yard.land_all();
  CHECK(yard.landing(good).state == LandingState::landed);
  CHECK(yard.landing(bad).state == LandingState::returned);
  CHECK(yard.landing(bad).reason.find("in c.txt") != std::string::npos);
  CHECK_FALSE(yard.was_sprung());
}

TEST_CASE("WorkTrees.AreShownWithWhatTheyHold") {
  Yard yard;
  auto const kept = yard.work("Cart", "echo two >a.txt; git commit -qam cart");
  at(yard.repo, "echo mine >b.txt");  // nothing lands
  LocalWorkspacePort workspace_port(yard.executor, yard.data, os::own_environment(), {});
  yard.executor.set_workspace_port(workspace_port);
  auto const work = yard.client.call<&service::list_work, service::WorkList>(service::WorkListRequest{});
  REQUIRE(work);
  REQUIRE(work->trees.size() == 1);
  auto const& tree = work->trees.front();
  CHECK(tree.task == kept.task);
  CHECK(tree.branch == "andon/1-cart");
  CHECK(tree.state == service::WorkState::kept);
  CHECK(tree.unlanded == 1);
  CHECK(tree.bytes > 0);
  REQUIRE(work->queue.size() == 1);
  CHECK(work->queue.front().run == kept.id);
  CHECK(work->limit == std::int64_t{20} << 30);
}

TEST_CASE("WorkTrees.WhatHoldsWorkIsRemovedOnlyByForce") {
  Yard yard;
  auto const run = yard.work("Cart", "echo two >a.txt; git commit -qam cart");
  at(yard.repo, "echo mine >b.txt");
  LocalWorkspacePort workspace_port(yard.executor, yard.data, os::own_environment(), {});
  yard.executor.set_workspace_port(workspace_port);
  auto const careful =
      yard.client.call<&service::clean_work, service::WorkCleaned>(service::CleanWorkRequest{});
  REQUIRE(careful);
  CHECK(careful->removed.empty());
  CHECK(careful->kept.front().reason.find("does not have") != std::string::npos);
  CHECK(std::filesystem::exists(yard.tree_of(run)));
  service::CleanWorkRequest force;
  force.force = true;
  auto const forced = yard.client.call<&service::clean_work, service::WorkCleaned>(force);
  REQUIRE(forced);
  CHECK(forced->removed.size() == 1);
  CHECK(forced->freed > 0);
  CHECK_FALSE(std::filesystem::exists(yard.tree_of(run)));
}

TEST_CASE("WorkTrees.BeyondTheLimitThoseWithoutWorkGo") {
  Yard yard;
  auto const empty = yard.work("Look", "true");
  auto const full = yard.work("Cart", "echo two >a.txt; git commit -qam cart");
  at(yard.repo, "echo mine >b.txt");
  yard.take_up_again(empty);
  WorktreeGc roomy(yard.client, {yard.data, os::own_environment(), {}});
  roomy.step(yard.clock.now());
  CHECK(std::filesystem::exists(yard.tree_of(empty)));
  REQUIRE(yard.client.call<&service::limit_work>(service::WorkLimit{"1KiB"}));
  WorktreeGc strict(yard.client, {yard.data, os::own_environment(), {}});
  strict.step(yard.clock.now());
  CHECK_FALSE(std::filesystem::exists(yard.tree_of(empty)));
  CHECK(std::filesystem::exists(yard.tree_of(full)));
}

TEST_CASE("WorkTrees.NoneIsRemovedWhileTheBoardDoesNotSayWhoseTheyAre") {
  Yard yard;
  auto const empty = yard.work("Look", "true");
  yard.take_up_again(empty);
  test::AbsentBoard board{yard.executor, {"work_facts"}};
  OperationClient client{board};
  WorktreeGc gc(client, {yard.data, os::own_environment(), {}});
  gc.step(yard.clock.now());
  CHECK(board.called.contains("work_facts"));
  CHECK(std::filesystem::exists(yard.tree_of(empty)));
}

namespace {

/// A board whose set-up makes `made` from `lock`, with another mark each time that it runs.
struct SetupYard : Yard {
  explicit SetupYard(std::map<std::string, core::Command> checks) : Yard(std::move(checks)) {
    at(repo, "echo one >lock; echo /made/ >.gitignore; git add .; git commit -qm lock");
    service::BoardPolicies policies;
    policies.setup = std::vector<core::Command>{
        {"sh", "-c", "mkdir made; cat lock a.txt >made/result; cat /proc/sys/kernel/random/uuid >made/mark"}};
    policies.setup_cache = core::SetupCache{{"lock"}, {"made"}};
    REQUIRE(client.call<&service::edit_board>({policies, "shop"}));
  }
  /// Lands a piece, and notes the mark of the set-up that its checks had.
  LandingState land(std::string const& script) {
    auto const run = work("Piece", script);
    land_all();
    marks.insert(os::read_file(work_folder(data, "shop") / "landing/made/mark", 100));
    return landing(run).state;
  }

  std::set<std::string> marks{};
};

}  // namespace

TEST_CASE("MergeQueue.OneSetUpServesAllPiecesWithItsKeyFiles") {
  SetupYard yard({{"made", {"test", "-f", "made/result"}}});
  for (int i = 0; i < 25; ++i) {
    auto const name = "new" + std::to_string(i);
    CHECK(yard.land("echo x >" + name + "; git add " + name + "; git commit -qm piece") ==
          LandingState::landed);
  }
  CHECK(yard.marks.size() == 1);
}

TEST_CASE("MergeQueue.ResultsThatBecameStaleRefuseNoWork") {
  SetupYard yard({{"made", {"sh", "-c", "test \"$(tail -n 1 made/result)\" = \"$(cat a.txt)\""}}});
  CHECK(yard.land("echo x >x; git add x; git commit -qm fill") == LandingState::landed);
  CHECK(yard.land("echo two >a.txt; git commit -qam change") == LandingState::landed);
  CHECK(yard.land("echo two >lock; git commit -qam lock") == LandingState::landed);
  CHECK(yard.marks.size() == 3);
}
