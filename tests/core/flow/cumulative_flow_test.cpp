#include "core/flow/cumulative_flow.hpp"

#include <doctest/doctest.h>

using namespace andon::core;
using namespace std::chrono_literals;

namespace {

constexpr Date day(int n) { return {std::chrono::sys_days{std::chrono::days{20'000 + n}}}; }
Instant at(int n, int hour) { return Instant{day(n).day} + std::chrono::hours{hour}; }

}  // namespace

TEST_CASE("CumulativeFlow.IsFoundByUndoingTheMoves") {
  using enum Stage;
  std::vector<StageMove> const moves{{at(1, 9), 1, {}, backlog},
                                     {at(1, 10), 1, backlog, active},
                                     {at(2, 8), 2, {}, backlog},
                                     {at(3, 23), 1, active, done}};
  StageCounts now;
  now.backlog = 2;
  now.done = 1;
  auto const flow = cumulative_flow(now, moves, day(1), at(4, 1), 0h);
  REQUIRE(flow.size() == 4);
  CHECK(flow[0].day == day(1));
  CHECK(flow[0].created == 1);
  CHECK(flow[0].stages.backlog == 1);
  CHECK(flow[0].stages.active == 1);
  CHECK(flow[1].stages.backlog == 2);
  CHECK(flow[1].created == 1);
  CHECK(flow[2].finished == 1);
  CHECK(flow[2].stages.done == 1);
  CHECK(flow[2].stages.active == 0);
  CHECK(flow[3].stages == now);
  CHECK(average_wip(flow) == 0.5);
}

TEST_CASE("CumulativeFlow.CutsDaysWhereTheClocksAskForIt") {
  std::vector<StageMove> const moves{{at(1, 23), 1, Stage::active, Stage::done}};
  StageCounts now;
  now.done = 1;
  CHECK(cumulative_flow(now, moves, day(1), at(2, 5), 0h)[0].finished == 1);
  CHECK(cumulative_flow(now, moves, day(1), at(2, 5), 2h)[0].finished == 0);
  CHECK(cumulative_flow(now, moves, day(1), at(2, 5), 2h)[1].finished == 1);
  CHECK(day_of(at(1, 1), -2h) == day(0));
  CHECK(start_of(day(1), 2h) == at(0, 22));
}

TEST_CASE("CumulativeFlow.NeverGoesBelowNothing") {
  std::vector<StageMove> const moves{{at(1, 9), 1, {}, Stage::ready}, {at(1, 9), 2, {}, Stage::ready}};
  auto const flow = cumulative_flow({}, moves, day(0), at(1, 10), 0h);
  CHECK(flow[0].stages == StageCounts{});
}
