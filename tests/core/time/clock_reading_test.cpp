#include "core/time/clock_reading.hpp"

#include <doctest/doctest.h>

using namespace andon::core;
using namespace std::chrono_literals;

namespace {

ClockReading at(Duration wall, Duration uptime, Duration asleep = {}, char const* boot = "a") {
  return {Instant{std::chrono::hours{500'000} + wall}, uptime, asleep, boot};
}

}  // namespace

TEST_CASE("ClockReading.AStepIsWhatTheWallClockWentMoreThanTheOther") {
  CHECK(step_between(at(0s, 0s), at(90s, 90s)) == 0s);
  CHECK(step_between(at(0s, 0s), at(151s, 90s)) == 61s);
  CHECK(step_between(at(0s, 0s), at(90s - 1h, 90s)) == -1h);
  CHECK(step_between(at(0s, 0s), at(0s, 6s)) == -6s);
}

TEST_CASE("ClockReading.LittleIsNoStep") {
  CHECK(step_between(at(0s, 0s), at(5s, 0s)) == 0s);
  CHECK(step_between(at(0s, 0s), at(-5s, 0s)) == 0s);
  CHECK(step_between(at(0s, 0s), at(5001ms, 0s)) == 5001ms);
}

TEST_CASE("ClockReading.OverARestartOnlyAStepBackwardsCanBeTold") {
  CHECK(step_between(at(0s, 900s), at(8h, 9s, {}, "b")) == 0s);
  CHECK(step_between(at(0s, 900s), at(-2h, 9s, {}, "b")) == -2h);
}

TEST_CASE("ClockReading.SleepIsToldWithinOneStartOnly") {
  CHECK(sleep_between(at(0s, 0s, 10s), at(8h, 8h, 8h)) == 8h - 10s);
  CHECK(sleep_between(at(0s, 0s, 10s), at(9s, 9s, 10500ms)) == 0s);
  CHECK(sleep_between(at(0s, 0s, 0s), at(9s, 9s, 9s, "b")) == 0s);
}

TEST_CASE("ClockReading.SmallDifferencesAddUp") {
  auto kept = at(0s, 0s);
  for (int i = 1; i <= 3; ++i) {
    auto const now = at(i * 12s, i * 15s);
    if (i < 2) CHECK(step_between(kept, now) == 0s);
    kept = without_step(kept, now);
  }
  CHECK(kept.wall == at(45s, 45s).wall);
  CHECK(step_between(kept, at(36s, 45s)) == -9s);
}
