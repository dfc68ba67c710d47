#include "core/model/account.hpp"

#include <string>
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
  for (int i = 0; i < 12; ++i) {
    reach_limit(account, now, std::nullopt, 4);
    rests.push_back(*account.limited_until - now);
    now = *account.limited_until;
  }
  CHECK(rests.front() == 30s);
  CHECK(rests[1] == 60s);
  CHECK(rests.back() == 4h);
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

TEST_CASE("Account.AnEndNeverShortensOneThatWasNamedBefore") {
  Account account;
  reach_limit(account, kNow, kNow + 24h * 3, 1);
  reach_limit(account, kNow + 1min, kNow + 2h, 1);
  CHECK(account.limited_until == kNow + 24h * 3);
  reach_limit(account, kNow + 24h * 4, kNow + 24h * 4 + 1h, 1);
  CHECK(account.limited_until == kNow + 24h * 4 + 1h);
}

TEST_CASE("Account.AnOverloadIsAShortGrowingPause") {
  Account account;
  std::vector<Duration> rests;
  auto now = kNow;
  for (int i = 0; i < 6; ++i) {
    meet_overload(account, now, 4);
    rests.push_back(*account.limited_until - now);
    now = *account.limited_until;
  }
  CHECK(rests == std::vector<Duration>{30s, 60s, 120s, 240s, 300s, 300s});
  work_went_well(account);
  meet_overload(account, now, 4);
  CHECK(*account.limited_until - now == 30s);
}

TEST_CASE("Account.KnowsTheEndOfAWindowFromEarlierReports") {
  Account account;
  std::vector<UsageWindow> const told{{"five_hour", kNow + 2h, 0.5}, {"seven_day", kNow + 24h * 4, 0.7}};
  learn_windows(account, told, kNow);
  CHECK(known_end(account, std::vector<UsageWindow>{{"five_hour", {}, {}, true}}) == kNow + 2h);
  CHECK(known_end(account, std::vector<UsageWindow>{{"seven_day", {}, {}, true}}) == kNow + 24h * 4);
  CHECK_FALSE(known_end(account, std::vector<UsageWindow>{{"month", {}, {}, true}}));
  CHECK_FALSE(known_end(account, {}));
  learn_windows(account, std::vector<UsageWindow>{{"seven_day", {}, 0.95}}, kNow);
  CHECK(known_end(account, {}) == kNow + 24h * 4);
}

TEST_CASE("Account.ForgetsWindowsThatAreOverAndKeepsFew") {
  Account account;
  learn_windows(account, std::vector<UsageWindow>{{"five_hour", kNow + 2h, 1}, {"week", {}, 1}}, kNow);
  CHECK(account.windows.size() == 1);
  learn_windows(account, {}, kNow + 2h);
  CHECK(account.windows.empty());
  for (int i = 0; i < 100; ++i)
    learn_windows(account, std::vector<UsageWindow>{{std::to_string(i), kNow + 2h}}, kNow);
  CHECK(account.windows.size() == 8);
}
