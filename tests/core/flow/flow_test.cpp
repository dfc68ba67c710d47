#include "core/flow/flow.hpp"

#include <doctest/doctest.h>

using namespace andon::core;
using namespace std::chrono_literals;

namespace {
Instant at_hour(int hour) { return Instant{} + std::chrono::hours{hour}; }
StageMove move(int hour, std::optional<Stage> from, Stage to) { return {at_hour(hour), 1, from, to}; }
}  // namespace

TEST_CASE("Spread.IsMadeOfTimesThatOccurred") {
  std::vector<Duration> hours;
  for (int h = 20; h >= 1; --h) hours.emplace_back(std::chrono::hours{h});
  CHECK(spread_of(hours) == Spread{20, 10.5, 10, 17, 19});
  CHECK(spread_of({3h}) == Spread{1, 3, 3, 3, 3});
  CHECK(spread_of({}) == Spread{});
}

TEST_CASE("Times.RunFromCreationAndFromStartToCompletion") {
  Delivery const delivery{at_hour(0), at_hour(6), at_hour(8)};
  CHECK(lead_time(delivery) == 8h);
  CHECK(cycle_time(delivery) == 2h);
  CHECK_FALSE(cycle_time({at_hour(0), {}, at_hour(8)}));
  CHECK(lead_time({at_hour(8), {}, at_hour(0)}) == 0h);
}

TEST_CASE("FlowEfficiency.ComparesTheSameDeliveries") {
  Delivery const started{at_hour(0), at_hour(6), at_hour(8)};
  Delivery const never_started{at_hour(0), {}, at_hour(80)};
  CHECK(flow_efficiency({started, never_started}) == 0.25);
  CHECK_FALSE(flow_efficiency({never_started}));
  CHECK_FALSE(flow_efficiency({{at_hour(1), at_hour(1), at_hour(1)}}));
}

TEST_CASE("ActiveTime.LeavesWaitingOut") {
  using enum Stage;
  std::vector<StageMove> const moves{move(0, {}, backlog),    move(1, backlog, active),
                                     move(3, active, review), move(10, review, active),
                                     move(11, active, done),  move(20, done, active)};
  CHECK(active_time(moves, at_hour(11)) == 3h);
  CHECK(active_time({move(1, backlog, active)}, at_hour(5)) == 4h);
  CHECK(active_time({}, at_hour(5)) == 0h);
}

TEST_CASE("Verdict.IsAMoveOutOfReview") {
  using enum Stage;
  CHECK(verdict_of(move(0, review, done)) == Verdict::accepted);
  CHECK(verdict_of(move(0, review, ready)) == Verdict::rejected);
  CHECK(verdict_of(move(0, review, active)) == Verdict::rejected);
  CHECK_FALSE(verdict_of(move(0, review, archived)));
  CHECK_FALSE(verdict_of(move(0, active, done)));
}

TEST_CASE("LittlesLaw.DividesWorkInProgressByThroughput") {
  CHECK(expected_cycle_time(6, 2) == 72h);
  CHECK_FALSE(expected_cycle_time(6, 0));
}

TEST_CASE("Spread.OfTimesThatAreCountedIsThatOfTheTimes") {
  using namespace std::chrono_literals;
  std::vector<Duration> const times{1h, 1h, 2h, 5h, 5h, 5h, 9h};
  CHECK(spread_of_counts({{Duration{1h}, 2}, {Duration{2h}, 1}, {Duration{5h}, 3}, {Duration{9h}, 1}}) ==
        spread_of(times));
  CHECK(spread_of_counts({}) == Spread{});
}
