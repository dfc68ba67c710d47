#include <doctest/doctest.h>

#include "service/limits/accounts.hpp"
#include "service/runs/dispatch.hpp"
#include "service/runs/sweep.hpp"
#include "service/test_app.hpp"
#include "service/workers/workers.hpp"

using namespace andon;
using namespace andon::test;
using namespace std::chrono_literals;
using core::Stage;

namespace {

/// Two workers on one account, a third on another.
struct Team : TestApp {
  Team() {
    add_worker("ada", {.role = "coder"});
    add_worker("bob", {.role = "coder"});
    add_worker("cleo", {.role = "coder"});
    call<&service::edit_worker>({.name = "cleo", .agent = "codex"});
    for (auto const* title : {"One", "Two", "Three", "Four"})
      create(title, {.status = "todo", .role = "coder"});
  }
  core::Worker worker(std::string_view name) {
    return call<&service::get_worker>({.name = std::string{name}});
  }
  std::string dispatch(std::string_view name) {
    auto run = ask<&service::dispatch_next>({.worker = std::string{name}});
    return run ? "run" : run.error().message;
  }
};

service::FinishRunRequest limited(std::optional<core::Instant> until = {}) {
  return {.stopped_because = core::StopReason::rate_limited, .resets_at = until};
}

}  // namespace

TEST_CASE("Account.ALimitRestsAllWorkersOfTheAccountAndNoOther") {
  Team team;
  auto const run = team.start("ada");
  auto const at = team.clock.now() + 2h;
  team.finish(run, limited(at));
  auto const task = team.get(run.task);
  CHECK(task.stage == Stage::ready);
  CHECK(task.attempt == 0);
  CHECK_FALSE(task.not_before);
  CHECK(team.worker("bob").state == core::WorkerStatus::limited);
  CHECK(team.worker("bob").limited_until == at);
  CHECK(team.dispatch("bob").find("rests until") != std::string::npos);
  CHECK(team.dispatch("cleo") == "run");
  CHECK(team.worker("cleo").task == run.task);
}

TEST_CASE("Account.WorkGoesOnByItselfAfterTheLimit") {
  Team team;
  team.finish(team.start("ada"), limited(team.clock.now() + 2h));
  team.clock.advance(2h);
  auto const seq = team.last_seq();
  team.call<&service::sweep>();
  CHECK(team.kinds(seq) == std::vector<std::string>{"limit.lifted"});
  CHECK(team.dispatch("ada") == "run");
  team.call<&service::sweep>();
  CHECK(team.kinds(seq).front() == "limit.lifted");
}

TEST_CASE("Account.ComesBackWithFewerRunsAtOnce") {
  Team team;
  auto const first = team.start("ada");
  team.start("bob");
  team.finish(first, limited());
  team.clock.advance(30s);
  CHECK(team.dispatch("ada").find("recovers") != std::string::npos);
}

TEST_CASE("Account.StartsNothingInAWindowThatWasNamed") {
  for (auto const& [name, length] : {std::pair{"five_hour", core::Duration{5h}}, {"seven_day", 24h * 7}}) {
    Team team;
    auto const ends = team.clock.now() + length;
    team.finish(team.start("ada"), {.has_result = true, .result = "ok", .windows = {{name, ends, 0.9}}});
    auto const run = team.start("ada");
    team.finish(run, {.stopped_because = core::StopReason::rate_limited, .windows = {{name, {}, {}, true}}});
    CHECK(team.worker("ada").limited_until == ends);
    CHECK(team.get(run.task).attempt == 0);
  }
}

TEST_CASE("Account.AnOverloadedModelCostsNoAttemptAndIsNoLimit") {
  Team team;
  auto const run = team.start("ada");
  team.finish(run, {.stopped_because = core::StopReason::overloaded});
  CHECK(team.get(run.task).attempt == 0);
  CHECK(team.worker("ada").limited_until == team.clock.now() + 30s);
  CHECK(team.dispatch("ada").find("rests until") != std::string::npos);
  CHECK(team.dispatch("ada").find("usage limit") == std::string::npos);
  team.clock.advance(30s);
  CHECK(team.dispatch("ada") == "run");
}

TEST_CASE("Account.APersonResumesItAtOnce") {
  Team team;
  team.finish(team.start("ada"), limited(team.clock.now() + 2h));
  CHECK(team.refusal<&service::resume_account>({.account = "codex"}) == "NOT_FOUND");
  team.call<&service::resume_account>({.account = "shell"});
  CHECK(team.dispatch("ada") == "run");
}
