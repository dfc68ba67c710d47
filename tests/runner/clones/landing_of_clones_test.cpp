// Host A makes the work, host B lands it: two data directories, one board, one remote.

#include <csignal>

#include "runner/clones/published_work.hpp"
#include "runner/clones/remote_place.hpp"
#include "runner/dispatch/local_workspace_port.hpp"
#include "runner/merging/merge_yard.hpp"
#include "runner/runs/tree_setup.hpp"
#include "runner/setup/ready_tree.hpp"
#include "service/runs/landing_queue.hpp"
#include "service/runs/landing_verdict.hpp"
#include "service/runs/revert.hpp"
#include "service/runs/work.hpp"

using namespace andon;
using namespace andon::runner;
using core::LandingState;
using test::at;

namespace fs = std::filesystem;

namespace {

struct Hosts : test::RemotePlace {
  explicit Hosts(std::map<std::string, std::vector<std::string>> checks = {}) {
    service::CreateBoardRequest board;
    board.name = "shop";
    board.template_ = "classic";
    board.repo = url;
    board.worktree = true;
    board.checks = std::move(checks);
    REQUIRE(client.call<&service::create_board>(board));
    service::PutWorkerRequest worker;
    worker.name = "dev";
    worker.agent = "generic";
    worker.capacity = 9;
    worker.takes_unassigned = true;
    REQUIRE(client.call<&service::add_worker>(worker));
    executor.write([](service::OperationContext& u) {
      service::set_runner(u, true);
      return true;
    });
  }

  /// A run on a host, as its supervising process does it.
  core::Run work(os::DataDirectory const& host, std::string const& title, std::string const& script) {
    if (!title.empty()) {
      service::CreateTaskRequest task;
      task.board = "shop";
      task.title = title;
      task.status = "todo";
      REQUIRE(client.call<&service::create_task>(task));
    }
    clock.advance(std::chrono::hours{2});
    auto run = client.call<&service::dispatch_next>(service::DispatchRequest{"dev"});
    REQUIRE(run);
    auto const brief = client.call<&service::begin_run>(
        service::BeginRunRequest{run->id, std::string(64, static_cast<char>('a' + run->id % 6))});
    REQUIRE(brief);
    WorkspaceSpec const spec{.repo = repository_directory(url, host),
                             .directory = work_tree_of(host, "shop", brief->task),
                             .branch = brief->branch,
                             .place = brief->place,
                             .origin = url,
                             .data = host.root};
    auto const use = use_for(spec);
    auto const place = test::GitPlace::prepare(spec);
    REQUIRE(place);
    auto const noted = note_run(spec, *place, use);
    REQUIRE(noted);
    at(spec.directory, script);
    auto const done = record_work(spec, *place, run->id, *noted, use);
    published = publish_work(spec, done, use);
    service::FinishRunRequest ending;
    ending.id = run->id;
    ending.result = "made it";
    ending.exit.code = 0;
    ending.base = done.base;
    ending.head = done.head;
    ending.branch = done.branch;
    ending.files_changed = 1;
    REQUIRE(client.call<&service::finish_run>(ending));
    return run_now(run->id);
  }
  core::Run run_now(core::RunId id) { return *client.call<&service::get_run>(service::RunRequest{id}); }
  core::Landing landing(core::Run const& run) { return run_now(run.id).landing.value_or(core::Landing{}); }
  MergeQueue queue_on(os::DataDirectory const& host) {
    return {client, host, {"PATH=/usr/bin:/bin"}, ANDON_SUPERVISE, [] { return false; }};
  }
  void land_on(os::DataDirectory const& host) {
    clock.advance(std::chrono::minutes{2});
    auto queue = queue_on(host);
    for (int i = 0; i < 5; ++i) queue.step(clock.now());
  }
  std::string branches() const { return at(bare, "git for-each-ref --format='%(refname:short)' refs/heads"); }
  std::string log() const { return at(bare, "git log --format=%s main"); }

  os::DataDirectory a = os::data_directory(scratch / "a");
  os::DataDirectory b = os::data_directory(scratch / "b");
  std::string published = "";
  test::FakeClock clock;
  std::unique_ptr<store::Store> store = store::open_store("sqlite::memory:");
  api::LocalExecutor executor{*store, clock};
  OperationClient client{executor};
};

constexpr char kCart[] = "echo two >a.txt; git commit -qam cart";

}  // namespace

TEST_CASE("LandingOfClones.OneHostLandsWhatAnotherOneMade") {
  Hosts hosts({{"two", {"sh", "-c", "test \"$(cat a.txt)\" = two"}}});
  auto const run = hosts.work(hosts.a, "Cart", kCart);
  CHECK(hosts.published == "");
  CHECK(hosts.remote("andon/1-cart") == run.head);
  at(hosts.person, "echo later >c.txt; git add .; git commit -qm later; git push -q origin main");
  hosts.land_on(hosts.b);
  CAPTURE(hosts.landing(run).reason);
  CHECK(hosts.landing(run).state == LandingState::landed);
  CHECK(hosts.log() == "cart\nlater\nfirst");
  CHECK(hosts.branches() == "main");
  CHECK(hosts.landing(run).commit == hosts.remote("main"));

  api::LocalExecutor other{*hosts.store, hosts.clock};
  LocalWorkspacePort port{other, hosts.b, {"PATH=/usr/bin:/bin"}, ANDON_SUPERVISE};
  auto const diff = port.diff({hosts.run_now(run.id), hosts.url});
  REQUIRE(diff);
  CHECK(diff->diff.find("+two") != std::string::npos);
}

TEST_CASE("LandingOfClones.AConflictIsResolvedByAnAttemptOnTheOtherHost") {
  Hosts hosts;
  auto const first = hosts.work(hosts.a, "Cart", "echo cart >a.txt; git commit -qam cart");
  at(hosts.person, "echo mine >a.txt; git commit -qam mine; git push -q origin main");
  hosts.land_on(hosts.b);
  CHECK(hosts.landing(first).state == LandingState::returned);
  auto const second = hosts.work(hosts.b, "",
                                 "git rebase -q origin/main || true; echo both >a.txt; git add .; "
                                 "GIT_EDITOR=true git rebase --continue");
  CHECK(second.task == first.task);
  CHECK(hosts.published == "");
  CHECK(hosts.remote("andon/1-cart") == second.head);
  hosts.land_on(hosts.a);
  CAPTURE(hosts.landing(second).reason);
  CHECK(hosts.landing(second).state == LandingState::landed);
  CHECK(at(hosts.bare, "git show main:a.txt") == "both");
  CHECK(hosts.branches() == "main");
}

TEST_CASE("LandingOfClones.APersonWhoPushesMeanwhileIsNeverOverwritten") {
  // A person pushes while the check runs, so between joining and the push.
  Hosts hosts({{"wait", {"sh", "-c", "until test -e go; do sleep 0.05; done"}}});
  auto const run = hosts.work(hosts.a, "Cart", kCart);
  auto const tree = hosts.b.work / "shop/landing";
  bool has_pushed = false;
  auto const meanwhile = [&] {
    if (!fs::exists(tree)) return false;
    if (!std::exchange(has_pushed, true))
      at(hosts.person, "git commit -q --allow-empty -m meanwhile; git push -q origin main");
    os::write_file(tree / "go", "");
    return false;
  };
  hosts.clock.advance(std::chrono::minutes{2});
  MergeQueue queue{hosts.client, hosts.b, {"PATH=/usr/bin:/bin"}, ANDON_SUPERVISE, meanwhile};
  queue.step(hosts.clock.now());
  CAPTURE(hosts.landing(run).reason);
  CHECK(has_pushed);
  CHECK(hosts.landing(run).state == LandingState::landed);
  CHECK(hosts.log() == "cart\nmeanwhile\nfirst");
}

TEST_CASE("LandingOfClones.ThePushItselfRefusesABranchThatMovedOn") {
  Hosts hosts;
  auto const run = hosts.work(hosts.a, "Cart", kCart);
  auto const onto = hosts.remote("main");
  Clone const clone{hosts.url, hosts.a, {}};
  at(hosts.person, "git commit -q --allow-empty -m later; git push -q origin main");
  CHECK(clone.land("main", run.head, onto));
  CHECK(hosts.log() == "later\nfirst");
  // Also when the branch was set back, so that the push would be no loss of commits.
  at(hosts.person, "git checkout -q --orphan other; git commit -qm other; git push -qf origin other:main");
  CHECK(clone.land("main", run.head, onto));
  CHECK(hosts.log() == "other");
}

TEST_CASE("LandingOfClones.WhatWasPushedBeforeAKillIsFinishedAfterwards") {
  Hosts hosts;
  auto const run = hosts.work(hosts.a, "Cart", kCart);
  auto const onto = hosts.remote("main");
  REQUIRE(hosts.client.call<&service::plan_landing>(service::PlanLandingRequest{run.id, run.head, onto}));
  SUBCASE("killed after the push") {
    Clone const clone{hosts.url, hosts.b, {}};
    REQUIRE(clone.refresh());
    REQUIRE_FALSE(clone.land("main", run.head, onto));
    at(hosts.person,
       "git pull -q origin main; git commit -q --allow-empty -m later; git push -q origin main");
    hosts.land_on(hosts.b);
    CHECK(hosts.log() == "later\ncart\nfirst");
  }
  SUBCASE("killed before it") {
    hosts.land_on(hosts.b);
    CHECK(hosts.log() == "cart\nfirst");
  }
  CHECK(hosts.landing(run).state == LandingState::landed);
  CHECK(hosts.landing(run).commit == run.head);
  CHECK(hosts.branches() == "main");
}

TEST_CASE("LandingOfClones.ARemoteThatRefusesIsNamedAndTheWorkWaits") {
  Hosts hosts;
  auto const run = hosts.work(hosts.a, "Cart", kCart);
  at(hosts.bare, "git config receive.denyNonFastForwards true; chmod -R a-w refs objects");
  if (::geteuid() == 0) at(hosts.bare, "mkdir -p refs/heads/main.lock");
  hosts.land_on(hosts.b);
  CHECK(hosts.landing(run).state == LandingState::waiting);
  CHECK(hosts.landing(run).reason.find(hosts.url) != std::string::npos);
  at(hosts.bare, "chmod -R u+w refs objects; rmdir refs/heads/main.lock 2>/dev/null || true");
  hosts.land_on(hosts.b);
  CHECK(hosts.landing(run).state == LandingState::landed);
}

TEST_CASE("LandingOfClones.WorkThatIsNotOnTheRemoteIsNoFinishedWork") {
  Hosts hosts;
  fs::path const hidden = hosts.scratch / "hidden.git";
  hosts.work(hosts.a, "Cart", kCart + std::string{"; mv "} + hosts.bare.native() + " " + hidden.native());
  CHECK(hosts.published.find("on this host only") != std::string::npos);
}

TEST_CASE("LandingOfClones.AnAgentChoosesNoBranchOfTheRemote") {
  Hosts hosts;
  at(hosts.person, "git push -q origin main:production main:andon/99-other");
  auto const before = hosts.remote("production");
  for (auto const* branch : {"production", "andon/99-other"}) {
    CAPTURE(branch);
    auto const run = hosts.work(hosts.a, branch,
                                std::string{"git checkout -q -B "} + branch + "; " + "echo " + branch +
                                    " >a.txt; git commit -qam evil");
    CHECK(hosts.published == "");
    CHECK(hosts.remote(branch) == before);
    auto const name = "andon/" + std::to_string(run.task);
    CHECK(hosts.branches().find(name) != std::string::npos);
  }
}

TEST_CASE("LandingOfClones.LandedWorkIsTakenBackOnTheRemote") {
  Hosts hosts;
  auto const run = hosts.work(hosts.a, "Cart", kCart);
  hosts.land_on(hosts.b);
  REQUIRE(hosts.landing(run).state == LandingState::landed);
  service::RevertRequest request;
  request.id = {std::to_string(run.task)};
  request.reason = "the cart is empty";
  REQUIRE(hosts.client.call<&service::revert_task>(request));
  hosts.land_on(hosts.b);
  CHECK(at(hosts.bare, "git show main:a.txt") == "one");
}

TEST_CASE("LandingOfClones.WorkThatLandsAsOneCommitLeavesNoHistoryOnTheRemote") {
  Hosts hosts;
  service::BoardPolicies policies;
  policies.land_limits = core::LandLimits{.lines = 0};
  REQUIRE(hosts.client.call<&service::edit_board>({policies, "shop"}));
  auto const run = hosts.work(hosts.a, "Cart",
                              "echo x >a.txt; git commit -qam history; echo two >a.txt; git commit -qam b");
  hosts.land_on(hosts.b);
  REQUIRE(hosts.landing(run).state == LandingState::asked);
  service::JudgeLandingRequest answer;
  answer.id = {std::to_string(run.task)};
  answer.squash = true;
  REQUIRE(hosts.client.call<&service::judge_landing>(answer));
  hosts.land_on(hosts.b);
  CHECK(hosts.landing(run).reason == "");
  CHECK(hosts.landing(run).state == LandingState::landed);
  CHECK(hosts.log() == "Cart\nfirst");
  CHECK(hosts.branches() == "main");
  CHECK(at(hosts.bare, "git show main:a.txt") == "two");
  LocalWorkspacePort port{hosts.executor, hosts.a, os::own_environment(), {}};
  hosts.executor.set_workspace_port(port);
  auto const work = hosts.client.call<&service::list_work, service::WorkList>(service::WorkListRequest{});
  REQUIRE(work);
  REQUIRE(work->trees.size() == 1);
  CHECK(work->trees.front().state == service::WorkState::landed);
  CHECK(work->kept.empty());
  REQUIRE(hosts.client.call<&service::clean_work, service::WorkCleaned>(service::CleanWorkRequest{}));
  CHECK_FALSE(fs::exists(work->trees.front().directory));
}

TEST_CASE("LandingOfClones.WorkTreesOfAHostAreListedOpenedAndCleaned") {
  Hosts hosts;
  auto const run = hosts.work(hosts.a, "Cart", kCart);
  api::LocalExecutor other{*hosts.store, hosts.clock};
  LocalWorkspacePort port{other, hosts.a, {"PATH=/usr/bin:/bin"}, ANDON_SUPERVISE};
  auto const board = *hosts.client.call<&service::get_board>(service::BoardRequest{"shop"});
  service::WorkQuestion question;
  question.boards = {board};
  auto const list = port.list(question);
  REQUIRE(list);
  REQUIRE(list->trees.size() == 1);
  CHECK(list->trees.front().branch == "andon/1-cart");
  CHECK(list->trees.front().unlanded == 1);
  auto const task = *hosts.client.call<&service::get_task>(service::TaskRequest{{std::to_string(run.task)}});
  service::TreeQuestion tree;
  tree.board = board;
  tree.task = task;
  auto const opened = port.open_work(tree);
  REQUIRE(opened);
  CHECK(opened->branch == "andon/1-cart");

  // The work landed from another host; this one learns of it from the board.
  hosts.land_on(hosts.b);
  REQUIRE(hosts.landing(run).state == LandingState::landed);
  service::CleanQuestion clean;
  clean.work.boards = {board};
  auto const cleaned = port.clean(clean);
  REQUIRE(cleaned);
  CHECK(cleaned->removed.size() == 1);
  CHECK(at(repository_directory(hosts.url, hosts.a), "git branch --list 'andon/*'") == "");
}

TEST_CASE("LandingOfClones.TheSetUpReadsItsFilesBesideTheClone") {
  Hosts hosts;
  at(hosts.person, "echo .env >.gitignore; git add .; git commit -qm ignore; git push -q origin main");
  hosts.work(hosts.a, "Cart", kCart);
  auto board = *hosts.client.call<&service::get_board>(service::BoardRequest{"shop"});
  board.copy = {".env"};
  auto const setup = tree_setup_of(board, hosts.a);
  Git const tree = *open_git(hosts.a.work / "shop/1-cart", {});
  RunInTree const nothing = [](CheckSpec const&, ReadyTree const&) { return core::CheckResult{}; };
  auto const missing = make_ready({setup, tree}, nothing);
  REQUIRE_FALSE(missing);
  CHECK(missing.error().message.find(setup.repo) != std::string::npos);
  fs::create_directories(setup.repo);
  os::write_file(fs::path{setup.repo} / ".env", "TOKEN=sesame\n");
  auto const ready = make_ready({setup, tree}, nothing);
  REQUIRE(ready);
  CHECK(ready->secrets == std::vector<std::string>{"sesame"});
  CHECK(os::read_file(hosts.a.work / "shop/1-cart/.env", 100) == "TOKEN=sesame\n");
}

TEST_CASE("LandingOfClones.ABoardTakesNoUrlThatGitMustNotSee") {
  Hosts hosts;
  service::BoardPolicies policies;
  for (auto const* repo : {"ext::sh -c id", "--upload-pack=id", "https://ann:sesame@example.org/shop"}) {
    policies.repo = repo;
    auto const done = hosts.client.call<&service::edit_board>({policies, "shop"});
    REQUIRE_FALSE(done);
    CHECK(done.error().field == "repo");
    CHECK(done.error().message.find("sesame") == std::string::npos);
  }
  policies.repo = "https://example.org/shop";
  policies.worktree = false;
  auto const done = hosts.client.call<&service::edit_board>({policies, "shop"});
  REQUIRE_FALSE(done);
  CHECK(done.error().field == "worktree");
}
