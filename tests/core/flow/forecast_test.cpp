#include "core/flow/forecast.hpp"

#include <doctest/doctest.h>

using namespace andon::core;

TEST_CASE("Forecast.OfAnEvenHistoryIsAMultiplication") {
  Throughput const two_a_day(10, 2);
  CHECK(tasks_within(two_a_day, 5, 1) == std::array<std::int64_t, 3>{10, 10, 10});
  CHECK(days_until(two_a_day, 7, 1) == std::array<std::optional<int>, 3>{4, 4, 4});
  CHECK(tasks_within(two_a_day, 0, 1) == std::array<std::int64_t, 3>{0, 0, 0});
  CHECK(days_until(two_a_day, 0, 1) == std::array<std::optional<int>, 3>{0, 0, 0});
}

TEST_CASE("Forecast.OfACoinMeetsTheBinomialDistribution") {
  // Each day finishes one task or none. Of 10 days at least 5 finish one with P = 0.623, at least 3 with
  // P = 0.945, at least 4 with P = 0.828: so 5 are likely, 3 almost sure with 85 %, 2 with 95 % (P = 0.989).
  Throughput const coin{0, 1};
  CHECK(tasks_within(coin, 10, 1) == std::array<std::int64_t, 3>{5, 3, 2});
  // The first task comes on day 1 with P = 1/2, by day 3 with 0.875, by day 5 with 0.969.
  auto const first = days_until(coin, 1, 3);
  CHECK(*first[0] <= 2);
  CHECK(first[1] == 3);
  CHECK(first[2] == 5);
}

TEST_CASE("Forecast.IsTheSameForTheSameSeed") {
  Throughput const history{0, 3, 1, 0, 0, 5, 2, 0, 1};
  CHECK(days_until(history, 40, 7) == days_until(history, 40, 7));
  CHECK(tasks_within(history, 14, 7) == tasks_within(history, 14, 7));
}

TEST_CASE("Forecast.IsMoreCautiousTheSurerItMustBe") {
  Throughput const history{0, 3, 1, 0, 0, 5, 2, 0, 1};
  auto const when = days_until(history, 40, 1);
  CHECK(*when[0] <= *when[1]);
  CHECK(*when[1] <= *when[2]);
  auto const how_many = tasks_within(history, 14, 1);
  CHECK(how_many[0] >= how_many[1]);
  CHECK(how_many[1] >= how_many[2]);
}

TEST_CASE("Forecast.NeedsSomethingToDrawFrom") {
  CHECK(days_until({}, 1, 1) == std::array<std::optional<int>, 3>{});
  CHECK(days_until({0, 0}, 1, 1) == std::array<std::optional<int>, 3>{});
  CHECK(tasks_within({0, 0}, 9, 1) == std::array<std::int64_t, 3>{});
  CHECK_FALSE(is_enough({5, 5}));
  CHECK_FALSE(is_enough(Throughput{0, 0, 0, 0, 0, 0, 4}));
  CHECK(is_enough(Throughput{0, 0, 0, 0, 0, 0, 5}));
}

TEST_CASE("Forecast.HasNoDateBeyondTenYears") { CHECK_FALSE(days_until(Throughput(30, 1), 4000, 1)[0]); }

TEST_CASE("Forecast.OfYearsComesCloseToAMultiplication") {
  Throughput const history{0, 3, 1, 0, 0, 5, 2, 0, 1};  // 4 in 3 days
  auto const days = days_until(history, 2'000, 7);
  for (auto const& likely : days) {
    REQUIRE(likely);
    CHECK(*likely > 1'350);
    CHECK(*likely < 1'700);
  }
  CHECK(*days[0] <= *days[2]);
  CHECK_FALSE(days_until(history, 9'000, 7)[0]);
  auto const tasks = tasks_within(history, 3'000, 7);
  CHECK(tasks[0] > 3'800);
  CHECK(tasks[0] < 4'200);
  CHECK(tasks[2] < tasks[0]);
}
