#include "core/model/account.hpp"

#include <map>
#include <random>
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
  CHECK(account.limited_until == kNow + 24h * 30);
  reach_limit(account, kNow, kNow + 24h * 400, 4);
  CHECK(account.limited_until == kNow + 24h * 32);
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

TEST_CASE("Account.AnOverloadIsToldApartFromALimit") {
  Account account;
  meet_overload(account, kNow, 4);
  CHECK(account.overloaded);
  SUBCASE("a limit without an end takes its place, with a rest of its own") {
    reach_limit(account, kNow + 20s, std::nullopt, 4);
    CHECK_FALSE(account.overloaded);
    CHECK(account.limited_until == kNow + 80s);
  }
  SUBCASE("and one with an end") {
    reach_limit(account, kNow, kNow + 3h, 4);
    CHECK_FALSE(account.overloaded);
    meet_overload(account, kNow + 1h, 4);
    CHECK_FALSE(account.overloaded);
    CHECK(account.limited_until == kNow + 3h);
  }
  SUBCASE("until work went well") {
    for (int i = 0; i < 4; ++i) work_went_well(account);
    CHECK_FALSE(account.overloaded);
  }
}

TEST_CASE("Account.ALimitEndsWithTheLastWindowThatWasNamedAsReached") {
  Account account;
  std::vector<UsageWindow> const told{{"five_hour", kNow + 2h, 0.5}, {"seven_day", kNow + 24h * 4, 0.7}};
  learn_windows(account, told, kNow);
  struct Row {
    std::optional<Instant> resets_at;
    std::vector<UsageWindow> reported;
    std::optional<Instant> end;
  };
  for (auto const& row :
       {Row{kNow + 1h, {}, kNow + 1h}, Row{kNow - 1h, {}, {}},
        Row{{}, {{"five_hour", {}, {}, true}}, kNow + 2h},
        Row{kNow + 1h, {{"seven_day", {}, {}, true}}, kNow + 24h * 4},
        Row{{}, {{"month", kNow + 24h * 20, {}, true}, {"five_hour", {}, {}, true}}, kNow + 24h * 20},
        Row{kNow + 1h, {{"", kNow + 2h, {}, true}}, kNow + 2h}, Row{{}, {{"month", {}, {}, true}}, {}},
        Row{kNow + 1h, {{"seven_day", {}, 0.9, false}}, kNow + 1h}})
    CHECK(end_of_limit(account, row.resets_at, row.reported, kNow) == row.end);
}

namespace {

/// An account whose provider tells of windows in random ways, under a clock that is stepped.
class ToldWindows {
 public:
  explicit ToldWindows(unsigned seed) : random_(seed) {}

  /// Starts inside a window whose end had been told as that of a limit.
  int starts_into_told(int steps) {
    int out = 0;
    for (int i = 0; i < steps; ++i) {
      now_ += Duration{std::chrono::seconds{between(1, one_in(3) ? 200'000 : 4'000)}};
      if (one_in(2)) end_run();
      if (running_ == 8 || !may_start(account_, now_, running_)) continue;
      ++running_;
      ++starts;
      if (now_ < closed_until_) ++out;
    }
    return out;
  }
  int starts = 0;

 private:
  int between(int least, int most) { return std::uniform_int_distribution{least, most}(random_); }
  bool one_in(int n) { return between(1, n) == 1; }

  UsageWindow a_window() {
    static constexpr std::pair<char const*, int> kKinds[] = {
        {"", 5}, {"five_hour", 5}, {"week", 168}, {"month", 744}};
    auto const& [name, hours] = kKinds[between(0, 3)];
    UsageWindow out{name, {}, {}, one_in(2)};
    if (!one_in(3)) out.ends = now_ + Duration{std::chrono::seconds{between(-600, hours * 3'600)}};
    if (one_in(2)) out.used = between(0, 100) / 100.0;
    return out;
  }

  void end_run() {
    if (running_ == 0) return;
    --running_;
    std::vector<UsageWindow> windows;
    for (int n = between(0, 3); n > 0; --n) windows.push_back(a_window());
    learn_windows(account_, windows, now_);
    for (auto const& window : windows)
      if (window.ends) named_[window.name] = window.ends;
    if (one_in(3)) return work_went_well(account_);
    if (one_in(4)) return meet_overload(account_, now_, running_ + 1);
    std::optional<Instant> resets_at;
    if (one_in(2)) resets_at = now_ + Duration{std::chrono::seconds{between(-600, 744 * 3'600)}};
    tell(resets_at);
    for (auto const& window : windows) {
      if (!window.reached) continue;
      tell(window.ends);
      if (!window.name.empty()) tell(named_[window.name]);
    }
    reach_limit(account_, now_, end_of_limit(account_, resets_at, windows, now_), running_ + 1);
  }

  void tell(std::optional<Instant> end) {
    if (end && *end > now_) closed_until_ = std::max(closed_until_, *end);
  }

  std::mt19937 random_;
  Account account_;
  Instant now_ = kNow;
  Instant closed_until_{};
  std::map<std::string, std::optional<Instant>> named_;
  int running_ = 0;
};

}  // namespace

TEST_CASE("Account.NoRunStartsInsideAWindowThatWasToldAsReached") {
  int starts = 0;
  for (unsigned seed = 1; seed <= 10'000; ++seed) {
    ToldWindows history{seed};
    CAPTURE(seed);
    REQUIRE(history.starts_into_told(60) == 0);
    starts += history.starts;
  }
  CHECK(starts > 50'000);
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
