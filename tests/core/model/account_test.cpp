#include "core/model/account.hpp"

#include <vector>

#include <doctest/doctest.h>

using namespace andon::core;
using namespace std::chrono_literals;

namespace {

Instant const kNow{std::chrono::milliseconds{1'800'000'000'000}};

}  // namespace

TEST_CASE("Account.RestsUntilTheTimeItsProviderNames") {
  Account account;
  reach_limit(account, kNow, kNow + 3h, 4);
  CHECK(is_limited(account, kNow + 3h - 1ms));
  CHECK_FALSE(is_limited(account, kNow + 3h));
  CHECK(account.slots == 0);
  reach_limit(account, kNow, kNow + 24h * 30, 4);
  CHECK(account.limited_until == kNow + 24h * 7);
}

TEST_CASE("Account.RestsLongerEachTimeWhenNoEndIsNamed") {
  Account account;
  std::vector<Duration> rests;
  auto now = kNow;
  for (int i = 0; i < 8; ++i) {
    reach_limit(account, now, std::nullopt, 4);
    rests.push_back(*account.limited_until - now);
    now = *account.limited_until;
  }
  CHECK(rests.front() == 30s);
  CHECK(rests[1] == 60s);
  CHECK(rests.back() == 30min);
  work_went_well(account);
  reach_limit(account, now, std::nullopt, 4);
  CHECK(*account.limited_until - now == 30s);
}

TEST_CASE("Account.RunsThatMeetOneLimitTogetherCountOnce") {
  Account account;
  for (int running = 4; running > 0; --running) reach_limit(account, kNow, std::nullopt, running);
  CHECK(*account.limited_until - kNow == 30s);
  CHECK(account.slots == 2);
  reach_limit(account, kNow, kNow + 3h, 1);
  CHECK(*account.limited_until - kNow == 3h);
}

TEST_CASE("Account.ComesBackWithHalfTheRunsAndRegainsOneByOne") {
  Account account;
  reach_limit(account, kNow, std::nullopt, 8);
  CHECK(account.slots == 4);
  for (int i = 0; i < 3; ++i) work_went_well(account);
  CHECK(account.slots == 7);
  work_went_well(account);
  CHECK(account.slots == 0);
}

TEST_CASE("Account.ATimeThatIsOverIsNoEnd") {
  Account account;
  reach_limit(account, kNow, kNow - 1h, 1);
  CHECK(is_limited(account, kNow));
  CHECK(account.slots == 1);
}
