#include "core/runs/fault_scope.hpp"

#include <doctest/doctest.h>

using namespace andon;
using core::FaultPlace;
using core::FaultScope;

namespace {

struct Known {
  std::string_view words;
  std::string_view cause;
  FaultScope scope;
};

core::CheckResult failed(int code, std::string output) {
  return {.name = "test", .passed = false, .output = std::move(output), .exit = core::Exit{.code = code}};
}

}  // namespace

TEST_CASE("FaultScope.IsReadFromTheWordsOfProgramsThatNoAgentChose") {
  for (auto const& [words, cause, scope] : {
           Known{"npm error code SELF_SIGNED_CERT_IN_CHAIN\nself-signed certificate in certificate chain",
                 "certificate", FaultScope::board},
           Known{"curl: (60) SSL certificate problem: unable to get local issuer certificate", "certificate",
                 FaultScope::board},
           Known{"npm error network request to https://r failed, reason: getaddrinfo EAI_AGAIN r", "network",
                 FaultScope::board},
           Known{"fatal: could not read Username for 'https://h': terminal prompts disabled", "registry",
                 FaultScope::board},
           Known{"sh: 1: pnpm: not found", "program", FaultScope::board},
           Known{"write: No space left on device", "disk", FaultScope::machine},
           Known{"fork: Cannot allocate memory", "memory", FaultScope::machine},
           Known{"tests failed", "set-up", FaultScope::board},
       }) {
    CAPTURE(words);
    auto const fault = core::fault_of({.place = FaultPlace::set_up, .is_of_work = false, .words = words});
    REQUIRE(fault);
    CHECK(fault->cause == cause);
    CHECK(fault->scope == scope);
    CHECK(fault->text.starts_with(words));
    CHECK(fault->text.contains("\nNext: "));
  }
}

TEST_CASE("FaultScope.NeverBelievesTheWordsOfAnAgentsWork") {
  for (auto const place : {FaultPlace::set_up, FaultPlace::check, FaultPlace::agent})
    CHECK(!core::fault_of({.place = place, .is_of_work = true, .words = "ENOSPC: no space left on device"}));
  CHECK(!core::fault_of({.place = FaultPlace::agent, .is_of_work = false, .words = "x509: certificate"}));
  // The machine itself says that its disk is full.
  auto const full = core::fault_of({.place = FaultPlace::agent, .is_disk_full = true, .words = "full"});
  REQUIRE(full);
  CHECK(full->scope == FaultScope::machine);
}

TEST_CASE("FaultScope.KeepsABoundedText") {
  auto const fault = core::fault_of(
      {.place = FaultPlace::check, .is_of_work = false, .words = "first line\n" + std::string(100'000, 'x')});
  REQUIRE(fault);
  CHECK(fault->text.size() < 4'096);
  CHECK(fault->text.starts_with("first line\n"));
}

TEST_CASE("FaultScope.OfACheckIsTheBoardsOnlyWhereItFailsAlikeOnTheBase") {
  CHECK(core::fails_alike(failed(1, "3 of 12 failed in 4.2 s"), failed(1, "2 of 9 failed in 11 s\n")));
  CHECK(core::fails_alike(failed(1, ""), failed(1, "")));
  CHECK(!core::fails_alike(failed(1, "cart_test failed"), failed(1, "there is no package.json")));
  CHECK(!core::fails_alike(failed(1, "a"), failed(2, "a")));
  auto passed = failed(0, "a");
  passed.passed = true;
  CHECK(!core::fails_alike(failed(0, "a"), passed));
}

TEST_CASE("FaultScope.HoldsWorkBackLongerEachTime") {
  core::Duration last{};
  for (int times = 1; times < 100; ++times) {
    auto const hold = core::hold_of_fault("certificate", times);
    REQUIRE(hold);
    CHECK(*hold >= last);
    CHECK(*hold <= std::chrono::hours{1});
    last = *hold;
  }
  // Each try of a check costs the work of an agent.
  CHECK(core::hold_of_fault("check", 2));
  CHECK(!core::hold_of_fault("check", 3));
}
