#include "service/insight/forecast.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "service/insight/flow_history.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

using core::Code;
using core::Result;

constexpr int kHistoryDays = 60;
constexpr std::int64_t kMostRemaining = 100'000;
constexpr std::size_t kMostNamed = 1000;

Result<Period> history_of(OperationContext& ctx, ForecastRequest const& r) {
  auto const days = r.days.value_or(kHistoryDays);
  if (days < 7 || days > 365)
    return core::refuse(Code::kInvalidInput, "\"days\" must be from 7 to 365", "days");
  Period period;
  ANDON_SET(period.utc_offset, parse_utc_offset(r.utc_offset));
  period.today = core::day_of(ctx.now, period.utc_offset);
  period.first = {period.today.day - std::chrono::days{days}};
  period.begin = core::start_of(period.first, period.utc_offset);
  return period;
}

std::int64_t unfinished_tasks(OperationContext& ctx, core::Board const& board) {
  std::int64_t sum = 0;
  for (auto const& [status, n] : ctx.tx.load(board.id).columns)
    if (auto const stage = known_stage(board, status); stage && !core::is_terminal(*stage)) sum += n;
  return sum;
}

/// The unfinished ones among these tasks and everything they wait for.
Result<std::int64_t> unfinished_with_dependencies(OperationContext& ctx, std::vector<TaskRef> const& refs) {
  std::vector<core::TaskId> open;
  for (auto const& ref : refs) {
    ANDON_TRY(auto const task, find_task(ctx, ref, "ids"));
    open.push_back(task.id);
  }
  std::set<core::TaskId> counted;
  while (!open.empty() && counted.size() < kMostNamed) {
    auto const task = ctx.tx.task(open.back());
    open.pop_back();
    if (!task || core::is_terminal(task->stage) || !counted.insert(task->id).second) continue;
    open.insert(open.end(), task->depends_on.begin(), task->depends_on.end());
  }
  return static_cast<std::int64_t>(counted.size());
}

Result<std::int64_t> tasks_asked_for(OperationContext& ctx, core::Board const& board,
                                     ForecastRequest const& r) {
  if (r.tasks && !r.ids.empty())
    return core::refuse(Code::kStatusConflict, "cannot use \"tasks\" and \"ids\" together", "ids");
  if (r.tasks && (*r.tasks < 1 || *r.tasks > kMostRemaining))
    return core::refuse(Code::kInvalidInput, "\"tasks\" must be from 1 to 100000", "tasks");
  if (r.tasks) return *r.tasks;
  if (!r.ids.empty()) return unfinished_with_dependencies(ctx, r.ids);
  return unfinished_tasks(ctx, board);
}

Result<int> days_to(core::Date by, Period const& period) {
  auto const days = (by.day - period.today.day).count();
  if (days >= 0 && days <= core::kFarthestDay) return static_cast<int>(days);
  return core::refuse(Code::kInvalidInput, "\"by\" must be a day from today to ten years from now", "by");
}

DateForecast when(core::Throughput const& history, std::int64_t tasks, std::uint64_t seed, core::Date today) {
  DateForecast out{tasks, {}};
  auto const days = core::days_until(history, tasks, seed);
  for (std::size_t i = 0; i < days.size(); ++i) {
    LikelyDate likely{core::kConfidences[i], {}, {}};
    if (days[i]) {
      likely.days = *days[i];
      likely.date = core::Date{today.day + std::chrono::days{*days[i]}};
    }
    out.likely.push_back(likely);
  }
  return out;
}

CountForecast how_many(core::Throughput const& history, core::Date by, int days, std::uint64_t seed) {
  CountForecast out{by, {}};
  auto const tasks = core::tasks_within(history, days, seed);
  for (std::size_t i = 0; i < tasks.size(); ++i) out.likely.push_back({core::kConfidences[i], tasks[i]});
  return out;
}

std::string warning_for(Forecast const& forecast, bool today_only) {
  auto const plural = [](std::int64_t n, std::string const& word) {
    return std::to_string(n) + " " + word + (n == 1 ? "" : "s");
  };
  auto const days = today_only ? std::string{" today"}
                               : " on " + plural(forecast.history_days, "whole day") + " before today";
  auto const history = plural(forecast.history_tasks, "finished task") + days;
  if (forecast.history_tasks == 0)
    return "No forecast: the history has " + history + ", and there is nothing to draw from.";
  return "The history is too short for a reliable forecast: " + history + "; it takes " +
         std::to_string(core::kLeastTasks) + " tasks on " + std::to_string(core::kLeastDays) + " days.";
}

}  // namespace

Result<Forecast> forecast(OperationContext& ctx, ForecastRequest const& r) {
  ANDON_TRY(auto const* found, find_board(ctx, r.board));
  auto const& board = *found;
  ANDON_TRY(auto const period, history_of(ctx, r));
  ANDON_TRY(auto const tasks, tasks_asked_for(ctx, board, r));
  int ahead = 0;
  if (r.by) ANDON_SET(ahead, days_to(*r.by, period));
  auto history = daily_throughput(ctx, board, period);
  bool const today_only = std::ranges::none_of(history, [](auto n) { return n > 0; });
  if (auto const today = today_only ? finished_today(ctx, board, period) : 0; today > 0) history = {today};
  auto const seed = r.seed.value_or(1);
  Forecast out{board.name,
               core::is_enough(history),
               {},
               static_cast<std::int64_t>(history.size()),
               std::accumulate(history.begin(), history.end(), std::int64_t{0}),
               core::kTrials,
               seed,
               {},
               {}};
  if (!out.reliable) out.warning = warning_for(out, today_only && out.history_tasks > 0);
  if (out.history_tasks == 0) return out;
  auto const draws = static_cast<std::uint64_t>(seed);
  bool const asks_when = !r.by || r.tasks || !r.ids.empty();
  if (asks_when) out.when = when(history, tasks, draws, period.today);
  if (r.by) out.how_many = how_many(history, *r.by, ahead, draws);
  return out;
}

}  // namespace andon::service
