#include "runner/merging/landing_judge.hpp"

#include "runner/merging/merge_yard.hpp"
#include "service/runs/landing_verdict.hpp"
#include "service/runs/work.hpp"
#include "service/tasks/edit.hpp"

using namespace andon;
using namespace andon::runner;
using core::LandingState;
using core::Stage;
using test::at;
using Yard = test::MergeYard;

namespace {

constexpr char kWithSecret[] = "echo TOKEN=1 >.env; git add -f .; git commit -qm secret";

core::Result<core::Run> judge(Yard& yard, core::Run const& run, service::LandingVerdict verdict,
                              std::string const& reason = {}) {
  return yard.client.call<&service::judge_landing>(
      service::JudgeLandingRequest{{std::to_string(run.task)}, verdict, reason});
}

}  // namespace

TEST_CASE("LandingJudge.WorkBeyondALimitIsAskedAboutAndOtherWorkGoesOn") {
  Yard yard;
  auto const asked = yard.work("Cart", kWithSecret);
  auto const other = yard.work("Basket", "echo two >b.txt; git commit -qam basket");
  yard.land_all();
  CHECK(yard.landing(asked).state == LandingState::asked);
  REQUIRE(yard.landing(asked).findings.size() == 1);
  auto const finding = yard.landing(asked).findings.front();
  CHECK(finding.limit == "secret_files");
  CHECK(finding.files == std::vector<std::string>{".env"});
  CHECK(finding.content.size() == 64);
  CHECK(yard.landing(asked).reason.contains("1 file that looks like a secret (at most 0): .env"));
  CHECK(yard.landing(other).state == LandingState::landed);
  CHECK(at(yard.repo, "git log --format=%s main") == "basket\nfirst");
  CHECK(yard.task(asked.task).stage == Stage::active);
}

TEST_CASE("LandingJudge.WhatAPersonAllowsLandsOnceAndMoreThanThatAsksAgain") {
  Yard yard;
  auto const run = yard.work("Cart", kWithSecret);
  yard.land_all();
  REQUIRE(judge(yard, run, service::LandingVerdict::land));
  CHECK(yard.landing(run).state == LandingState::waiting);
  // The default branch has moved so that the work means more: its file was put back to nothing meanwhile.
  yard.set_limits({.lines = 0});
  yard.land_all();
  CHECK(yard.landing(run).state == LandingState::asked);
  CHECK(yard.landing(run).findings.size() == 2);
  REQUIRE(judge(yard, run, service::LandingVerdict::land));
  REQUIRE(judge(yard, run, service::LandingVerdict::land));
  yard.land_all();
  CHECK(yard.landing(run).state == LandingState::landed);
  CHECK(yard.landing(run).allowed_by == "runner:local");
  CHECK(at(yard.repo, "git log --format=%s main") == "secret\nfirst");
}

TEST_CASE("LandingJudge.RejectedWorkGoesBackWithItsReasonAndTheNextAttemptLands") {
  Yard yard;
  auto const run = yard.work("Cart", kWithSecret);
  yard.land_all();
  REQUIRE(judge(yard, run, service::LandingVerdict::reject, "no secrets, please"));
  CHECK(yard.landing(run).state == LandingState::returned);
  CHECK(yard.task(run.task).stage == Stage::ready);
  auto const next = yard.work("git rm -qf .env; git commit -qm removed");
  CHECK(next.task == run.task);
  yard.land_all();
  CHECK(yard.landing(next).state == LandingState::landed);
}

TEST_CASE("LandingJudge.ADirectoryOfAskedWorkIsKept") {
  Yard yard;
  auto const run = yard.work("Cart", kWithSecret);
  yard.land_all();
  auto const facts = yard.client.call<&service::work_facts>(service::WorkFactsRequest{{run.task}});
  REQUIRE(facts);
  CHECK(facts->items.front().waiting);
  CHECK(std::filesystem::exists(yard.tree_of(run)));
}

TEST_CASE("LandingJudge.FilesThatTheBoardCopiesNeverLandNotEvenInBetween") {
  Yard yard;
  service::BoardPolicies policies;
  policies.copy = std::vector<std::string>{"local.conf"};
  REQUIRE(yard.client.call<&service::edit_board>({policies, "shop"}));
  auto const run =
      yard.work("Cart",
                "echo 1 >local.conf; git add -f .; git commit -qm slip;"
                "git rm -q local.conf; git commit -qm cleaned; echo 2 >b.txt; git commit -qam work");
  yard.land_all();
  CHECK(yard.landing(run).state == LandingState::returned);
  CHECK(yard.landing(run).reason.contains("local.conf, which the board copies"));
  CHECK(at(yard.repo, "git log --format=%s main") == "first");
}

TEST_CASE("LandingJudge.TheTouchesOfTheTaskAreItsBounds") {
  Yard yard;
  auto const run = yard.work("Cart", "echo two >b.txt; git commit -qam b");
  service::EditTaskRequest edit;
  edit.id = {std::to_string(run.task)};
  edit.touches = std::vector<std::string>{"a.txt"};
  edit.force = true;
  REQUIRE(yard.client.call<&service::edit_task>(edit));
  yard.land_all();
  CHECK(yard.landing(run).state == LandingState::asked);
  CHECK(yard.landing(run).findings.front().limit == "outside_touches");
}

TEST_CASE("LandingJudge.ARestartedQueueGoesOnWhereItWas") {
  Yard yard;
  auto const run = yard.work("Cart", kWithSecret);
  for (auto const state : {LandingState::asked, LandingState::landed}) {
    MergeQueue restarted{
        yard.client, yard.data, {"PATH=/usr/bin:/bin"}, ANDON_SUPERVISE, [] { return false; }};
    yard.clock.advance(std::chrono::minutes{1});
    for (int i = 0; i < 3; ++i) restarted.step(yard.clock.now());
    CHECK(yard.landing(run).state == state);
    if (state == LandingState::asked) REQUIRE(judge(yard, run, service::LandingVerdict::land));
  }
  CHECK(at(yard.repo, "git log --format=%s main") == "secret\nfirst");
}

TEST_CASE("LandingJudge.HostileNamesReachAPersonVisibly") {
  Yard yard;
  auto const run = yard.work("Cart",
                             "mkdir -p node_modules; echo 1 >\"$(printf 'node_modules/a\\nb\\033[2J\\377')\";"
                             "git add -f .; git commit -qm names");
  yard.land_all();
  CHECK(yard.landing(run).state == LandingState::asked);
  CHECK(yard.landing(run).reason.contains("node_modules/a\\nb\\x1b[2J"));
  CHECK_FALSE(yard.landing(run).reason.contains('\n'));
}
