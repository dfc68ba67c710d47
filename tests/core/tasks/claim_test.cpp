#include "core/tasks/claim.hpp"

#include <doctest/doctest.h>

#include "support/builders.hpp"

using namespace andon;
using namespace std::chrono_literals;
using test::a_task;
using test::at_minute;

TEST_CASE("Claim.IsOverWhenItsLeaseEnds") {
  core::Task const task = a_task().claimed_by("bob", at_minute(45));
  CHECK(core::is_held_by(task, "bob", at_minute(45) - 1ms));
  CHECK_FALSE(core::is_held_by(task, "eve", at_minute(0)));
  CHECK_FALSE(core::is_claimed(task, at_minute(45)));
}

TEST_CASE("Claim.ItsEpochRisesWhenItBeginsAndWhenItEnds") {
  core::Task task = a_task();
  core::claim(task, "bob", 1h, at_minute(0));
  CHECK(task.epoch == 1);
  core::claim(task, "bob", 1h, at_minute(30));
  CHECK(task.epoch == 1);
  CHECK(*task.claim_expires == at_minute(90));
  CHECK(*task.claimed_at == at_minute(0));
  core::end_claim(task);
  CHECK(task.epoch == 2);
  core::end_claim(task);
  CHECK(task.epoch == 2);
  core::claim(task, "eve", 0h, at_minute(0));
  CHECK(task.epoch == 3);
  CHECK(core::is_claimed(task, at_minute(1'000'000)));
  core::claim(task, "bob", 1h, at_minute(1));
  CHECK(task.epoch == 4);
}

TEST_CASE("Claim.StrangersOldAndFutureEpochsAreRefused") {
  core::Task const task = a_task().claimed_by("bob", at_minute(45));
  auto const code = [&](core::ClaimProof proof, int minute = 0) {
    auto const checked = core::check_claim(task, proof, at_minute(minute));
    return checked ? std::string_view{} : core::row(checked.error().code).name;
  };
  CHECK(code({"bob", {}, false}).empty());
  CHECK(code({"bob", 1, false}).empty());
  CHECK(code({"", {}, false}) == "TASK_CLAIMED");
  CHECK(code({"eve", {}, false}) == "TASK_CLAIMED");
  CHECK(code({"eve", {}, true}).empty());
  CHECK(code({"bob", 0, false}) == "STALE_CLAIM");
  CHECK(code({"bob", 2, false}) == "STALE_CLAIM");
  CHECK(code({"bob", 1, false}, 45) == "STALE_CLAIM");
  CHECK(code({"eve", {}, false}, 45).empty());
}

TEST_CASE("Claim.ARefusalSaysWhoHoldsItAndForHowLong") {
  core::Task task = a_task().claimed_by("agent-1", at_minute(45));
  task.id = 3;
  auto const message = [&] { return core::check_claim(task, {}, at_minute(0)).error().message; };
  CHECK(message() == "task #3 is claimed by \"agent-1\" (expires in 45m)");
  CHECK(core::check_claim(task, {}, at_minute(0)).error().current->id == 3);
  auto const left = [&](int minute) {
    auto const error = core::check_claim(task, {}, at_minute(minute)).error();
    for (auto const& [name, value] : error.details)
      if (name == "remaining") return std::get<std::string>(value);
    return std::string{};
  };
  CHECK(left(0) == "45m0s");
  CHECK(left(-45) == "1h30m0s");
  CHECK(core::remaining(task, at_minute(44) + 30s) == "expires in 30s");
  task.claim_expires.reset();
  CHECK(message() == "task #3 is claimed by \"agent-1\" (never expires)");
}
