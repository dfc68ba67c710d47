#pragma once

#include "service/requests.hpp"

namespace andon::service {

struct ForecastRequest {
  std::string board;
  std::optional<std::int64_t> tasks;
  std::vector<TaskRef> ids;
  std::optional<core::Date> by;
  std::optional<int> days;
  std::optional<std::int64_t> seed;
  std::string utc_offset;
};
BOOST_DESCRIBE_STRUCT(ForecastRequest, (), (board, tasks, ids, by, days, seed, utc_offset))
inline constexpr std::array kForecastRequestFields{
    core::Field{"board", "Board by name or number; the first one when left out"},
    core::Field{"tasks", "When will so many tasks be finished; all unfinished ones when left out"},
    core::Field{"ids", "When will these tasks be finished, with everything they wait for"},
    core::Field{"by", "How many tasks will be finished by the end of this day"},
    core::Field{"days", "How many days of history are drawn from: 7 to 365; 60 when left out"},
    core::Field{"seed",
                "Number the draws begin with; 1 when left out, so that equal histories give equal "
                "forecasts"},
    core::Field{"utc_offset", "Where days begin, such as +02:00; at midnight UTC when left out"}};
constexpr auto const& fields(ForecastRequest const*) { return kForecastRequestFields; }

struct LikelyCount {
  int confidence = 0;
  std::int64_t tasks = 0;
};
BOOST_DESCRIBE_STRUCT(LikelyCount, (), (confidence, tasks))
inline constexpr std::array kLikelyCountFields{
    core::Field{"confidence", "Per cent of the trials", core::always},
    core::Field{"tasks", "At least so many tasks", core::always}};
constexpr auto const& fields(LikelyCount const*) { return kLikelyCountFields; }

struct LikelyDate {
  int confidence = 0;
  std::optional<std::int64_t> days;
  std::optional<core::Date> date;
};
BOOST_DESCRIBE_STRUCT(LikelyDate, (), (confidence, days, date))
inline constexpr std::array kLikelyDateFields{
    core::Field{"confidence", "Per cent of the trials", core::always},
    core::Field{"days", "Days from today; nothing when it takes longer than ten years"},
    core::Field{"date", "On this day at the latest"}};
constexpr auto const& fields(LikelyDate const*) { return kLikelyDateFields; }

struct CountForecast {
  core::Date by;
  std::vector<LikelyCount> likely;
};
BOOST_DESCRIBE_STRUCT(CountForecast, (), (by, likely))
inline constexpr std::array kHowManyFields{core::Field{"by", "By the end of this day", core::always},
                                           core::Field{"likely", "How many, and how surely", core::always}};
constexpr auto const& fields(CountForecast const*) { return kHowManyFields; }

struct DateForecast {
  std::int64_t tasks = 0;
  std::vector<LikelyDate> likely;
};
BOOST_DESCRIBE_STRUCT(DateForecast, (), (tasks, likely))
inline constexpr std::array kWhenFields{core::Field{"tasks", "So many tasks", core::always},
                                        core::Field{"likely", "By when, and how surely", core::always}};
constexpr auto const& fields(DateForecast const*) { return kWhenFields; }

struct Forecast {
  std::string board;
  bool reliable = false;
  std::string warning;
  std::int64_t history_days = 0;
  std::int64_t history_tasks = 0;
  std::int64_t trials = 0;
  std::int64_t seed = 0;
  std::optional<DateForecast> when;
  std::optional<CountForecast> how_many;
};
BOOST_DESCRIBE_STRUCT(Forecast, (),
                      (board, reliable, warning, history_days, history_tasks, trials, seed, when, how_many))
inline constexpr std::array kForecastFields{
    core::Field{"board", "Name of the board", core::always},
    core::Field{"reliable", "Whether the history is long enough", core::always},
    core::Field{"warning", "What is wrong with the history"},
    core::Field{"history_days", "Whole days that were drawn from", core::always},
    core::Field{"history_tasks", "Tasks that were finished on them", core::always},
    core::Field{"trials", "How often the future was played", core::always},
    core::Field{"seed", "Number the draws began with", core::always},
    core::Field{"when", "When so many tasks will be finished"},
    core::Field{"how_many", "How many tasks will be finished by a day"}};
constexpr auto const& fields(Forecast const*) { return kForecastFields; }

/// A forecast from past throughput, see core/flow/forecast.hpp. Without any finished task it contains only a
/// warning.
core::Result<Forecast> forecast(OperationContext& ctx, ForecastRequest const& request);

}  // namespace andon::service
