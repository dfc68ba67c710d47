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
void describe(auto& field, ForecastRequest const*) {
  field(&ForecastRequest::board, "board", "Board by name or number; the first one when left out");
  field(&ForecastRequest::tasks, "tasks",
        "When will so many tasks be finished; all unfinished ones when left out");
  field(&ForecastRequest::ids, "ids", "When will these tasks be finished, with everything they wait for");
  field(&ForecastRequest::by, "by", "How many tasks will be finished by the end of this day");
  field(&ForecastRequest::days, "days",
        "How many days of history are drawn from: 7 to 365; 60 when left out");
  field(&ForecastRequest::seed, "seed",
        "Number the draws begin with; 1 when left out, so that equal histories give equal "
        "forecasts");
  field(&ForecastRequest::utc_offset, "utc_offset",
        "Where days begin, such as +02:00; at midnight UTC when left out");
}

struct LikelyCount {
  int confidence = 0;
  std::int64_t tasks = 0;
};
void describe(auto& field, LikelyCount const*) {
  field(&LikelyCount::confidence, "confidence", "Per cent of the trials", core::always);
  field(&LikelyCount::tasks, "tasks", "At least so many tasks", core::always);
}

struct LikelyDate {
  int confidence = 0;
  std::optional<std::int64_t> days;
  std::optional<core::Date> date;
};
void describe(auto& field, LikelyDate const*) {
  field(&LikelyDate::confidence, "confidence", "Per cent of the trials", core::always);
  field(&LikelyDate::days, "days", "Days from today; nothing when it takes longer than ten years");
  field(&LikelyDate::date, "date", "On this day at the latest");
}

struct CountForecast {
  core::Date by;
  std::vector<LikelyCount> likely;
};
void describe(auto& field, CountForecast const*) {
  field(&CountForecast::by, "by", "By the end of this day", core::always);
  field(&CountForecast::likely, "likely", "How many, and how surely", core::always);
}

struct DateForecast {
  std::int64_t tasks = 0;
  std::vector<LikelyDate> likely;
};
void describe(auto& field, DateForecast const*) {
  field(&DateForecast::tasks, "tasks", "So many tasks", core::always);
  field(&DateForecast::likely, "likely", "By when, and how surely", core::always);
}

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
void describe(auto& field, Forecast const*) {
  field(&Forecast::board, "board", "Name of the board", core::always);
  field(&Forecast::reliable, "reliable", "Whether the history is long enough", core::always);
  field(&Forecast::warning, "warning", "What is wrong with the history");
  field(&Forecast::history_days, "history_days", "Whole days that were drawn from", core::always);
  field(&Forecast::history_tasks, "history_tasks", "Tasks that were finished on them", core::always);
  field(&Forecast::trials, "trials", "How often the future was played", core::always);
  field(&Forecast::seed, "seed", "Number the draws began with", core::always);
  field(&Forecast::when, "when", "When so many tasks will be finished");
  field(&Forecast::how_many, "how_many", "How many tasks will be finished by a day");
}

/// A forecast from past throughput, see core/flow/forecast.hpp. Without any finished task it contains only a
/// warning.
core::Result<Forecast> forecast(OperationContext& ctx, ForecastRequest const& request);

}  // namespace andon::service
