#include "cli/views/flow_views.hpp"

#include <cmath>
#include <cstdio>

#include "cli/command_line/safe_text.hpp"
#include "cli/command_line/table.hpp"
#include "cli/views/task_views.hpp"
#include "core/runs/spending.hpp"

namespace andon::cli {
namespace {

using service::FlowMetrics;

constexpr std::size_t kLabel = 18;

std::string count(std::int64_t n) { return std::to_string(n); }
std::string tasks(std::int64_t n) { return count(n) + (n == 1 ? " task" : " tasks"); }

std::string decimal(double value, char const* form) {
  char text[64];
  std::snprintf(text, sizeof text, form, value);
  return text;
}
std::string per_cent(std::optional<double> share) {
  return share ? decimal(*share * 100, "%.0f%%") : std::string{};
}
std::int64_t tokens(core::Usage const& usage) { return usage.input + usage.output; }
std::string cost(core::Usage const& usage, std::int64_t unpriced) {
  return core::cost_words(usage.cost_usd, unpriced > 0 || (!usage.cost_usd && tokens(usage) > 0));
}

std::string hours_text(double hours) {
  return span_of(core::Duration{static_cast<core::Duration::rep>(std::llround(hours * 3'600'000.0))});
}
std::string hours_text(std::optional<double> hours) { return hours ? hours_text(*hours) : std::string{}; }

std::string line(std::string const& label, std::string const& value) {
  return padded(label + ":", kLabel) + (value.empty() ? "--" : one_line(value)) + "\n";
}

std::string spread(core::Spread const& spread) {
  if (spread.count == 0) return {};
  return "50% within " + hours_text(spread.p50_hours) + ", 85% within " + hours_text(spread.p85_hours) +
         ", 95% within " + hours_text(spread.p95_hours);
}

std::string verdicts(service::Verdicts const& verdicts) {
  if (!verdicts.acceptance_rate) return {};
  return per_cent(verdicts.acceptance_rate) + " (" + count(verdicts.accepted) + " accepted, " +
         count(verdicts.rejected) + " rejected)";
}

std::string usage(core::Usage const& usage, std::int64_t unpriced) {
  auto const price = cost(usage, unpriced);
  if (tokens(usage) == 0 && price.empty()) return {};
  return count(usage.input) + " in, " + count(usage.output) + " out" + (price.empty() ? "" : ", " + price);
}

/// The numbers are of one board; a reader with several must see which.
std::string board_line(std::string const& board, std::int64_t boards) {
  if (boards <= 1) return board;
  return board + ", one of " + count(boards) + " boards; --board NAME shows another";
}

std::string summary_lines(FlowMetrics const& m) {
  return line("Throughput (7d)", tasks(m.throughput_7d)) + line("Throughput (30d)", tasks(m.throughput_30d)) +
         line("Avg lead time", hours_text(m.avg_lead_time_hours)) +
         line("Avg cycle time", hours_text(m.avg_cycle_time_hours)) +
         line("Flow efficiency", per_cent(m.flow_efficiency)) + "\n" +
         line("Board", board_line(m.board, m.totals.boards)) +
         line("Days", core::to_text(m.from) + " to " + core::to_text(m.to)) +
         line("Completed", tasks(m.completed) + ", " + decimal(m.throughput_per_day, "%.2f a day")) +
         line("Lead time", spread(m.lead_time)) + line("Cycle time", spread(m.cycle_time)) +
         line("Active share", per_cent(m.active_share)) +
         line("Work in progress",
              count(m.totals.work_in_progress) + " now, " + decimal(m.average_wip, "%.1f on average")) +
         line("Acceptance", verdicts(m.verdicts)) +
         line("Attempts", count(m.retries) + " retried, " + tasks(m.failures) + " given up") +
         (m.flaky_checks > 0 ? line("Flaky checks", count(m.flaky_checks)) : "") +
         line("Tokens", usage(m.usage, m.unpriced)) +
         line("Totals", tasks(m.totals.tasks) + ", " + count(m.totals.open) + " open");
}

std::string aging_table(FlowMetrics const& m, Screen const& screen) {
  Table table({{"ID", 0, 0}, {"STATUS", 0, 0}, {"AGE", 0, 0}, {"TITLE", 0, 60}});
  for (auto const& item : m.aging_items)
    table.add({count(item.id), item.status, hours_text(item.age_hours), item.title});
  return table.empty() ? "" : "\n" + screen.drawn(table);
}

std::string class_table(FlowMetrics const& m, Screen const& screen) {
  Table table({{"CLASS", 16, 0}, {"COMPLETED", 0, 0}, {"SHARE", 0, 0}, {"TARGET", 0, 0}});
  for (auto const& c : m.classes)
    table.add({c.class_, count(c.completed), per_cent(c.share), per_cent(c.target)});
  return table.empty() || m.completed == 0 ? "" : "\n" + screen.drawn(table);
}

std::string worker_table(FlowMetrics const& m, Screen const& screen) {
  Table table({{"WORKER", 16, 0},
               {"COMPLETED", 0, 0},
               {"ACCEPTED", 0, 0},
               {"RUNS", 0, 0},
               {"FAILED", 0, 0},
               {"BUSY", 0, 0},
               {"UTILISATION", 0, 0},
               {"COST", 0, 0}});
  for (auto const& w : m.workers)
    table.add({w.name, count(w.completed), per_cent(w.verdicts.acceptance_rate), count(w.runs),
               count(w.failed_runs), hours_text(w.busy_hours), per_cent(w.utilisation),
               cost(w.usage, w.unpriced)});
  return table.empty() ? "" : "\n" + screen.drawn(table);
}

std::string compact_metrics(FlowMetrics const& m) {
  std::string out = "Throughput: " + count(m.throughput_7d) + "/7d " + count(m.throughput_30d) + "/30d";
  auto const add = [&](std::string_view label, std::string const& value) {
    if (!value.empty()) out.append(" | ").append(label).append(": ").append(value);
  };
  auto const or_dashes = [](std::string value) { return value.empty() ? "--" : value; };
  add("Lead", or_dashes(hours_text(m.avg_lead_time_hours)));
  add("Cycle", or_dashes(hours_text(m.avg_cycle_time_hours)));
  add("Efficiency", or_dashes(per_cent(m.flow_efficiency)));
  add("WIP", count(m.totals.work_in_progress));
  add("Acceptance", per_cent(m.verdicts.acceptance_rate));
  if (m.totals.boards > 1) add("Board", m.board);
  out += "\n";
  for (auto const& item : m.aging_items)
    out += one_line("Aging: #" + count(item.id) + " [" + item.status + "] " + cut(item.title, 60) + " (" +
                    hours_text(item.age_hours) + ")") +
           "\n";
  return out;
}

std::string date_lines(service::DateForecast const& when) {
  std::string out = tasks(when.tasks) + " will be finished\n";
  for (auto const& likely : when.likely)
    out += "  with " + count(likely.confidence) + "%: " +
           (likely.date ? "by " + core::to_text(*likely.date) + " (" + count(*likely.days) +
                              (likely.days == 1 ? " day)" : " days)")
                        : std::string{"not within ten years"}) +
           "\n";
  return out;
}

std::string count_lines(service::CountForecast const& how_many) {
  std::string out = "By the end of " + core::to_text(how_many.by) + " there will be finished\n";
  for (auto const& likely : how_many.likely)
    out += "  with " + count(likely.confidence) + "%: at least " + tasks(likely.tasks) + "\n";
  return out;
}

}  // namespace

std::string metrics_page(FlowMetrics const& metrics, Screen const& screen) {
  if (screen.is_compact()) return compact_metrics(metrics);
  return summary_lines(metrics) + aging_table(metrics, screen) + class_table(metrics, screen) +
         worker_table(metrics, screen);
}

std::string forecast_page(service::Forecast const& forecast, Screen const&) {
  std::string out;
  if (!forecast.warning.empty()) out += one_line(forecast.warning) + "\n";
  if (forecast.when) out += date_lines(*forecast.when);
  if (forecast.how_many) out += count_lines(*forecast.how_many);
  if (forecast.history_tasks > 0)
    out += "From " + tasks(forecast.history_tasks) + " on " + count(forecast.history_days) +
           (forecast.history_days == 1 ? " day, " : " days, ") + count(forecast.trials) + " trials, seed " +
           count(forecast.seed) + "\n";
  return out;
}

}  // namespace andon::cli
