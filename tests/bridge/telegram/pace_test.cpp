#include "bridge/telegram/pace.hpp"

#include <vector>

#include <doctest/doctest.h>

using namespace andon;
using namespace std::chrono_literals;
using bridge::telegram::Backoff;
using bridge::telegram::Pace;

namespace {

/// How many messages to a chat may go within a time, when each goes as soon as it may.
int sent_within(Pace& pace, std::int64_t chat, core::Duration from, core::Duration end) {
  int count = 0;
  for (auto now = from; now < end;) {
    auto const wait = pace.wait(chat, now);
    if (wait == core::Duration{}) {
      pace.spend(chat, now);
      ++count;
    }
    now += wait;
  }
  return count;
}

}  // namespace

TEST_CASE("Pace.AllowsABurstAndThenOneASecond") {
  Pace pace;
  CHECK(sent_within(pace, 7, 1s, 1001ms) == 3);
  CHECK(pace.wait(7, 1001ms) == 999ms);
  CHECK(sent_within(pace, 7, 2s, 12s) == 10);
}

TEST_CASE("Pace.BoundsAGroupByTheMinute") {
  Pace pace;
  CHECK(sent_within(pace, -7, 0s, 10min) <= 20 + 200);
  CHECK(sent_within(pace, -7, 10min, 20min) <= 200);
}

TEST_CASE("Pace.BoundsAllChatsTogether") {
  Pace pace;
  int count = 0;
  for (std::int64_t chat = 1; chat <= 100; ++chat)
    if (pace.wait(chat, 1s) == core::Duration{}) {
      pace.spend(chat, 1s);
      ++count;
    }
  CHECK(count == 30);
}

TEST_CASE("Backoff.DoublesUpToAMinute") {
  Backoff backoff;
  std::vector<core::Duration> waits;
  for (int i = 0; i < 8; ++i) waits.push_back(backoff.next());
  CHECK(waits == std::vector<core::Duration>{1s, 2s, 4s, 8s, 16s, 32s, 60s, 60s});
  backoff.reset();
  CHECK(backoff.next() == 1s);
}
