#include "runner/merging/revert_work.hpp"

#include <stdexcept>

#include "runner/merging/merge_queue.hpp"
#include "runner/merging/merge_yard.hpp"
#include "service/runs/revert.hpp"
#include "service/tasks/edit.hpp"

using namespace andon;
using namespace andon::runner;
using core::LandingState;
using core::RevertState;
using core::Stage;
using test::at;

namespace {

struct RevertYard : test::MergeYard {
  using MergeYard::MergeYard;

  core::Run landed(std::string const& title, std::string const& script) {
    auto const run = work(title, script);
    land_all();
    REQUIRE(landing(run).state == LandingState::landed);
    return run;
  }
  void ask(core::Run const& run, core::AfterRevert then = core::AfterRevert::reopen, std::string why = {}) {
    service::RevertRequest request;
    request.id = {std::to_string(run.task)};
    request.then = then;
    request.reason = std::move(why);
    auto const asked = client.call<&service::revert_task>(request);
    INFO((asked ? std::string{} : asked.error().message));
    REQUIRE(asked);
  }
  core::Revert revert_of(core::Run const& run) { return run_now(run.id).revert.value_or(core::Revert{}); }
  core::Revert revert(core::Run const& run, core::AfterRevert then = core::AfterRevert::reopen) {
    ask(run, then);
    land_all();
    return revert_of(run);
  }
  std::string subjects() { return at(repo, "git log --format=%s main"); }
};

bool has(std::string const& text, std::string_view part) { return text.find(part) != std::string::npos; }

/// The server is killed before or after the operation of a number takes effect.
struct Killed : std::runtime_error {
  Killed() : runtime_error{"killed"} {}
};
struct DyingExecutor : api::Executor {
  api::Executor& inner;
  int left;
  bool after;
  DyingExecutor(api::Executor& to, int calls, bool at_end) : inner(to), left(calls), after(at_end) {}
  core::Result<api::Answer> run(api::Call call) override {
    bool const dies = --left == 0;
    if (dies && !after) throw Killed{};
    auto out = inner.run(std::move(call));
    if (dies) throw Killed{};
    return out;
  }
};

}  // namespace

TEST_CASE("RevertWork.IsOneNewCommitThatSaysWhatItTakesBack") {
  RevertYard yard;
  auto const cart = yard.landed("Cart", "echo two >a.txt; git commit -qam one; echo new >new.txt");
  yard.landed("Basket", "echo two >b.txt");
  auto const before = yard.head();
  yard.ask(cart, core::AfterRevert::reopen, "it breaks\nthe shop");
  yard.land_all();
  auto const done = yard.revert_of(cart);
  CHECK(done.reason == "");
  CHECK(done.state == RevertState::reverted);
  CHECK(done.commit == yard.head());
  CHECK(done.onto == before);
  CHECK(yard.head("main^") == before);
  CHECK(at(yard.repo, "cat a.txt b.txt; ls; git status --porcelain") == "one\ntwo\na.txt\nb.txt");
  CHECK(at(yard.repo, "git log -1 --format=%an/%cn main") == "Andon/Andon");
  auto const message = at(yard.repo, "git log -1 --format=%B main");
  auto const landed = yard.landing(cart);
  CHECK(message.starts_with("Revert \"Cart\"\n\nTakes back the work on task #1"));
  CHECK(has(message, landed.onto.substr(0, 12) + ".." + landed.commit.substr(0, 12)));
  CHECK(has(message, "Reason: it breaks\nthe shop"));
  CHECK(has(message, "Asked for by runner:local."));
  CHECK(yard.task(cart.task).stage == Stage::ready);
}

TEST_CASE("RevertWork.TheSameChangeLandsAgain") {
  RevertYard yard;
  auto const first = yard.landed("Cart", "echo two >a.txt; git commit -qam cart");
  yard.landed("Basket", "echo two >b.txt; git commit -qam basket");
  CHECK(yard.revert(first).state == RevertState::reverted);
  auto const again = yard.work("cat a.txt >was; echo two >a.txt; git commit -qam cart");
  CHECK(again.task == first.task);
  CHECK(again.branch == first.branch);
  CHECK(again.base == yard.head());
  yard.land_all();
  CHECK(yard.landing(again).state == LandingState::landed);
  CHECK(at(yard.repo, "cat a.txt was b.txt") == "two\none\ntwo");
  CHECK(yard.revert(again).state == RevertState::reverted);
  CHECK(at(yard.repo, "cat a.txt b.txt; ls") == "one\ntwo\na.txt\nb.txt");
}

TEST_CASE("RevertWork.OldCommitsThatAnAttemptTakesUpAgainLandAgain") {
  RevertYard yard;
  auto const first = yard.work("Cart", "echo two >a.txt; git commit -qam cart");
  at(yard.repo, "echo later >c.txt; git add .; git commit -qm later");
  yard.land_all();
  REQUIRE(yard.landing(first).commit != first.head);
  CHECK(yard.revert(first).state == RevertState::reverted);
  auto const again = yard.work("git reset -q --hard " + first.head + "; echo more >d.txt");
  yard.land_all();
  CHECK(yard.landing(again).state == LandingState::landed);
  CHECK(at(yard.repo, "cat a.txt c.txt d.txt") == "two\nlater\nmore");
}

TEST_CASE("RevertWork.LandedTwiceIsTakenBackAtOnce") {
  RevertYard yard;
  auto const first = yard.landed("Cart", "echo two >a.txt");
  yard.take_up_again(first);
  auto const second = yard.work("echo three >a.txt; echo new >new.txt");
  REQUIRE(second.task == first.task);
  yard.land_all();
  REQUIRE(yard.landing(second).state == LandingState::landed);
  CHECK(yard.revert(second).state == RevertState::reverted);
  CHECK(yard.revert_of(first).state == RevertState::reverted);
  CHECK(at(yard.repo, "cat a.txt; ls") == "one\na.txt\nb.txt");
  CHECK(at(yard.repo, "git rev-list --count main") == "4");
}

TEST_CASE("RevertWork.LaterWorkOnTheSameLinesStandsInTheWayByName") {
  RevertYard yard;
  auto const cart = yard.landed("Cart", "printf '1\\n2\\n3\\n4\\n5\\n' >list.txt");
  auto const later = yard.landed("Bask\"et", "sed -i s/3/three/ list.txt");
  at(yard.repo, "sed -i s/3*three/drei/ list.txt; git commit -qam 'by hand'");
  yard.landed("Other", "echo x >b.txt");
  auto const head = yard.head();
  auto const refused = yard.revert(cart);
  CHECK(refused.state == RevertState::refused);
  CHECK(has(refused.reason, "#" + std::to_string(later.task) + " \"Bask\"et\" ("));
  CHECK(has(refused.reason, "\"by hand\" ("));
  CHECK_FALSE(has(refused.reason, "Other"));
  CHECK(has(refused.reason, "in list.txt; take that back first"));
  CHECK(yard.head() == head);
  CHECK(yard.task(cart.task).stage == Stage::done);
  CHECK(at(yard.repo, "git status --porcelain") == "");
}

TEST_CASE("RevertWork.WhatStoodInTheWayIsTakenBackFirst") {
  RevertYard yard;
  auto const cart = yard.landed("Cart", "printf '1\\n2\\n3\\n' >list.txt");
  auto const later = yard.landed("Basket", "sed -i s/2/two/ list.txt");
  CHECK(yard.revert(cart).state == RevertState::refused);
  CHECK(yard.revert(later, core::AfterRevert::close).state == RevertState::reverted);
  CHECK(at(yard.repo, "cat list.txt") == "1\n2\n3");
  auto const done = yard.revert(cart);
  CHECK(done.reason == "");
  CHECK(done.state == RevertState::reverted);
  CHECK(at(yard.repo, "ls") == "a.txt\nb.txt");
}

TEST_CASE("RevertWork.ALineThatLaterWorkBroughtAgainIsNotTaken") {
  RevertYard yard;
  core::LandLimits limits;
  limits.reverted_files = -1;
  yard.set_limits(limits);
  auto const cart = yard.landed("Cart", "echo two >a.txt");
  yard.landed("Change", "echo three >a.txt");
  yard.landed("Change it back", "echo two >a.txt");
  auto const refused = yard.revert(cart);
  CHECK(refused.state == RevertState::refused);
  CHECK(has(refused.reason, "\"Change\""));
  CHECK(has(refused.reason, "\"Change it back\""));
}

TEST_CASE("RevertWork.ARenamedFileStandsInTheWay") {
  RevertYard yard;
  auto const cart = yard.landed("Cart", "printf '1\\n2\\n3\\n' >list.txt; echo two >a.txt");
  yard.landed("Rename", "git mv list.txt names.txt");
  auto const refused = yard.revert(cart);
  CHECK(refused.state == RevertState::refused);
  CHECK(has(refused.reason, "\"Rename\""));
  CHECK(has(refused.reason, "names.txt"));
}

TEST_CASE("RevertWork.AttributesThatJoinLinesHaveNoEffect") {
  RevertYard yard;
  at(yard.repo,
     "printf '*.md merge=union\\n' >.gitattributes; echo start >log.md; git add .; git commit -qm log");
  auto const cart = yard.landed("Cart", "echo cart >>log.md");
  yard.landed("Basket", "echo basket >>log.md");
  auto const refused = yard.revert(cart);
  CHECK(refused.state == RevertState::refused);
  CHECK(has(refused.reason, "\"Basket\""));
  CHECK(at(yard.repo, "cat log.md") == "start\ncart\nbasket");
}

TEST_CASE("RevertWork.WhatWasTakenBackByHandIsRecorded") {
  RevertYard yard;
  auto const cart = yard.landed("Cart", "echo two >a.txt");
  at(yard.repo, "git revert --no-edit main");
  auto const head = yard.head();
  auto const done = yard.revert(cart);
  CHECK(done.state == RevertState::reverted);
  CHECK(done.commit == head);
  CHECK(has(done.reason, "by hand before"));
  CHECK(yard.head() == head);
  CHECK(yard.task(cart.task).stage == Stage::ready);
}

TEST_CASE("RevertWork.WorkThatIsNoLongerThereIsRefused") {
  RevertYard yard;
  auto const cart = yard.landed("Cart", "echo two >a.txt");
  at(yard.repo, "git reset -q --hard main^");
  auto const refused = yard.revert(cart);
  CHECK(refused.state == RevertState::refused);
  CHECK(has(refused.reason, "is not part of main any more"));
}

TEST_CASE("RevertWork.AFailingCheckRefusesWithItsOutput") {
  RevertYard yard(
      {{"both", {"sh", "-c", "test ! -f uses.txt || test -f made.txt || { echo made is gone; exit 1; }"}}});
  auto const cart = yard.landed("Cart", "echo x >made.txt");
  yard.landed("Basket", "echo x >uses.txt");
  auto const refused = yard.revert(cart);
  CHECK(refused.state == RevertState::refused);
  CHECK(has(refused.reason, "take back first what builds on it"));
  CHECK(has(refused.reason, "made is gone"));
  CHECK(at(yard.repo, "ls") == "a.txt\nb.txt\nmade.txt\nuses.txt");
}

TEST_CASE("RevertWork.LocalChangesAreNotTouched") {
  RevertYard yard;
  auto const cart = yard.landed("Cart", "echo two >a.txt");
  at(yard.repo, "echo mine >b.txt");
  auto const held = yard.revert(cart);
  CHECK(held.state == RevertState::waiting);
  CHECK(has(held.reason, "local changes on main"));
  at(yard.repo, "git checkout -q b.txt");
  yard.land_all();
  CHECK(yard.revert_of(cart).state == RevertState::reverted);
}

TEST_CASE("RevertWork.HostileNamesAreNoOptionsAndNoPatterns") {
  RevertYard yard;
  yard.set_limits({.odd_files = -1});
  auto const cart = yard.landed("--amend", "echo x >-rf; echo x >'*'; printf x >\"$(printf 'a\\nb')\"");
  yard.landed("Other", "echo y >other");
  yard.landed("Star", "echo y >'*'");
  auto const refused = yard.revert(cart);
  CHECK(refused.state == RevertState::refused);
  CHECK(has(refused.reason, "\"Star\""));
  CHECK_FALSE(has(refused.reason, "\"Other\""));
  auto const star = yard.run_now(3);
  CHECK(yard.revert(star, core::AfterRevert::close).state == RevertState::reverted);
  CHECK(yard.revert(cart).state == RevertState::reverted);
  CHECK(at(yard.repo, "ls") == "a.txt\nb.txt\nother");
}

TEST_CASE("RevertWork.NothingTheRepositoryConfiguresIsRun") {
  RevertYard yard;
  auto const cart = yard.landed("Cart", "echo two >a.txt; echo x >new.txt");
  at(yard.repo, "git branch aside; git symbolic-ref HEAD refs/heads/aside");
  yard.set_traps();
  auto const done = yard.revert(cart);
  CHECK(done.reason == "");
  CHECK(done.state == RevertState::reverted);
  CHECK(yard.head("main:a.txt") != yard.head("aside:a.txt"));
  CHECK_FALSE(yard.was_sprung());
}

TEST_CASE("RevertWork.AServerKilledAtAnyCallLeavesNothingHalfDone") {
  bool survived = false;
  for (int call = 1; !survived; ++call)
    for (bool const after : {false, true}) {
      RevertYard yard;
      auto const cart = yard.landed("Cart", "echo two >a.txt; echo new >new.txt");
      yard.landed("Basket", "echo two >b.txt");
      yard.ask(cart);
      CAPTURE(call);
      CAPTURE(after);
      DyingExecutor dying{yard.executor, call, after};
      OperationClient client{dying};
      MergeQueue killed{client, yard.data, {"PATH=/usr/bin:/bin"}, ANDON_SUPERVISE, [] { return false; }};
      survived = true;
      yard.clock.advance(std::chrono::minutes{1});
      try {
        killed.step(yard.clock.now());
      } catch (Killed const&) {
        survived = false;
      }
      MergeQueue next{yard.client, yard.data, {"PATH=/usr/bin:/bin"}, ANDON_SUPERVISE, [] { return false; }};
      for (int i = 0; i < 3; ++i) next.step(yard.clock.now());
      CHECK(yard.revert_of(cart).state == RevertState::reverted);
      CHECK(yard.revert_of(cart).commit == yard.head());
      CHECK(at(yard.repo, "git rev-list --count main; cat a.txt b.txt; ls; git status --porcelain") ==
            "4\none\ntwo\na.txt\nb.txt");
      CHECK(yard.task(cart.task).stage == Stage::ready);
    }
}

TEST_CASE("RevertWork.APlannedMoveIsFinishedBetweenTheFilesAndTheBranch") {
  RevertYard yard;
  auto const cart = yard.landed("Cart", "echo two >a.txt");
  yard.ask(cart);
  auto const tip = yard.head();
  auto const planned = at(yard.repo, "git commit-tree main^^{tree} -p main -m planned");
  REQUIRE(yard.client.call<&service::plan_landing>(service::PlanLandingRequest{cart.id, planned, tip}));
  at(yard.repo, "git read-tree -m -u HEAD " + planned);
  yard.land_all();
  CHECK(yard.revert_of(cart).state == RevertState::reverted);
  CHECK(yard.head() == planned);
  CHECK(at(yard.repo, "cat a.txt; git status --porcelain") == "one");
}
