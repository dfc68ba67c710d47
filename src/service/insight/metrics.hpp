#pragma once

#include "core/flow/cumulative_flow.hpp"
#include "core/flow/flow.hpp"
#include "core/model/run.hpp"
#include "service/requests.hpp"

namespace andon::service {

struct MetricsRequest {
  std::string board;
  std::optional<int> days;
  std::optional<core::Date> since;
  std::string utc_offset;
};
void describe(auto& field, MetricsRequest const*) {
  field(&MetricsRequest::board, "board", "Board by name or number; the first one when left out");
  field(&MetricsRequest::days, "days", "How many days back, today included: 1 to 3660; 30 when left out");
  field(&MetricsRequest::since, "since", "Since this day instead");
  field(&MetricsRequest::utc_offset, "utc_offset",
        "Where days begin, such as +02:00; at midnight UTC when left out");
}

struct AgingItem {
  core::TaskId id = 0;
  std::string title;
  std::string status;
  double age_hours = 0;
};
void describe(auto& field, AgingItem const*) {
  field(&AgingItem::id, "id", "Number of the task", core::always);
  field(&AgingItem::title, "title", "One line", core::always);
  field(&AgingItem::status, "status", "Column it is in", core::always);
  field(&AgingItem::age_hours, "age_hours", "Hours since it was started", core::always);
}

/// The verdicts of reviewers.
struct Verdicts {
  std::int64_t accepted = 0;
  std::int64_t rejected = 0;
  std::optional<double> acceptance_rate;
};
void describe(auto& field, Verdicts const*) {
  field(&Verdicts::accepted, "accepted", "Results that were accepted", core::always);
  field(&Verdicts::rejected, "rejected", "Results that were sent back", core::always);
  field(&Verdicts::acceptance_rate, "acceptance_rate", "Accepted ones among these, 0 to 1");
}

struct WorkerFlow {
  std::string name;
  std::int64_t completed = 0;
  Verdicts verdicts;
  std::int64_t runs = 0;
  std::int64_t failed_runs = 0;
  double busy_hours = 0;
  std::optional<double> utilisation;
  core::Usage usage;
  std::int64_t unpriced = 0;
  std::int64_t flaky_checks = 0;
};
void describe(auto& field, WorkerFlow const*) {
  field(&WorkerFlow::name, "name", "Worker or person", core::always);
  field(&WorkerFlow::completed, "completed", "Tasks it finished", core::always);
  field(&WorkerFlow::verdicts, "verdicts", "What reviewers said of its results", core::always);
  field(&WorkerFlow::runs, "runs", "Attempts that ended", core::always);
  field(&WorkerFlow::failed_runs, "failed_runs", "Of these, those that did not succeed", core::always);
  field(&WorkerFlow::busy_hours, "busy_hours", "Hours of its runs on this board", core::always);
  field(&WorkerFlow::utilisation, "utilisation",
        "These hours by those it could have worked, 0 to 1; registered workers only");
  field(&WorkerFlow::usage, "usage", "Tokens, and the money of the runs that told a price", core::always);
  field(&WorkerFlow::unpriced, "unpriced", "Runs that told no price", core::set_only);
  field(&WorkerFlow::flaky_checks, "flaky_checks",
        "Checks of its runs that failed and passed when they were run again", core::set_only);
}

struct ClassFlow {
  std::string class_;
  std::int64_t completed = 0;
  std::optional<double> share;
  std::optional<double> target;
};
void describe(auto& field, ClassFlow const*) {
  field(&ClassFlow::class_, "class", "Class of service", core::always);
  field(&ClassFlow::completed, "completed", "Tasks of it that were finished", core::always);
  field(&ClassFlow::share, "share", "Its share of everything finished, 0 to 1");
  field(&ClassFlow::target, "target", "The share the board wants, 0 to 1");
}

struct Totals {
  std::int64_t boards = 0;
  std::int64_t tasks = 0;
  std::int64_t open = 0;
  std::int64_t work_in_progress = 0;
};
void describe(auto& field, Totals const*) {
  field(&Totals::boards, "boards", "Boards of this store that are not archived", core::always);
  field(&Totals::tasks, "tasks", "Tasks of this board that are not archived", core::always);
  field(&Totals::open, "open", "Of these, those that are not finished", core::always);
  field(&Totals::work_in_progress, "work_in_progress",
        "Of these, those claimed, active, in review or blocked", core::always);
}

/// The flow of a board over some days. kanban-md's keys stand first.
struct FlowMetrics {
  std::int64_t throughput_7d = 0;
  std::int64_t throughput_30d = 0;
  std::optional<double> avg_lead_time_hours;
  std::optional<double> avg_cycle_time_hours;
  std::optional<double> flow_efficiency;
  std::vector<AgingItem> aging_items;
  std::string board;
  core::Date from;
  core::Date to;
  std::int64_t completed = 0;
  double throughput_per_day = 0;
  core::Spread lead_time;
  core::Spread cycle_time;
  std::optional<double> active_share;
  double average_wip = 0;
  std::optional<double> expected_cycle_time_hours;
  Verdicts verdicts;
  std::int64_t retries = 0;
  std::int64_t failures = 0;
  core::Usage usage;
  std::int64_t unpriced = 0;
  std::int64_t flaky_checks = 0;
  Totals totals;
  std::vector<ClassFlow> classes;
  std::vector<WorkerFlow> workers;
  std::vector<core::DayOfFlow> flow;
};
void describe(auto& field, FlowMetrics const*) {
  field(&FlowMetrics::throughput_7d, "throughput_7d", "Tasks finished in the last 7 days", core::always);
  field(&FlowMetrics::throughput_30d, "throughput_30d", "Tasks finished in the last 30 days", core::always);
  field(&FlowMetrics::avg_lead_time_hours, "avg_lead_time_hours", "Mean hours from creation to completion");
  field(&FlowMetrics::avg_cycle_time_hours, "avg_cycle_time_hours", "Mean hours from start to completion");
  field(&FlowMetrics::flow_efficiency, "flow_efficiency", "Mean cycle time by mean lead time, 0 to 1");
  field(&FlowMetrics::aging_items, "aging_items", "Work under way, the longest started first; at most 100");
  field(&FlowMetrics::board, "board", "Name of the board", core::always);
  field(&FlowMetrics::from, "from", "First day of the numbers below", core::always);
  field(&FlowMetrics::to, "to", "Today", core::always);
  field(&FlowMetrics::completed, "completed", "Tasks finished on these days", core::always);
  field(&FlowMetrics::throughput_per_day, "throughput_per_day", "The same by day", core::always);
  field(&FlowMetrics::lead_time, "lead_time", "From creation to completion", core::always);
  field(&FlowMetrics::cycle_time, "cycle_time", "From start to completion", core::always);
  field(&FlowMetrics::active_share, "active_share",
        "Share of the lead time spent in active columns, 0 to 1; of the last 1,000 tasks finished");
  field(&FlowMetrics::average_wip, "average_wip", "Mean of the work in progress at the ends of the days",
        core::always);
  field(&FlowMetrics::expected_cycle_time_hours, "expected_cycle_time_hours",
        "What Little's law says: average_wip by throughput_per_day");
  field(&FlowMetrics::verdicts, "verdicts", "What reviewers said", core::always);
  field(&FlowMetrics::retries, "retries", "Failed attempts that were tried again", core::always);
  field(&FlowMetrics::failures, "failures", "Tasks whose attempts were used up", core::always);
  field(&FlowMetrics::usage, "usage", "Tokens of the runs, and the money of those that told a price",
        core::always);
  field(&FlowMetrics::unpriced, "unpriced", "Runs that told no price", core::set_only);
  field(&FlowMetrics::flaky_checks, "flaky_checks",
        "Checks of runs that failed and passed when they were run again", core::set_only);
  field(&FlowMetrics::totals, "totals", "How much there is now", core::always);
  field(&FlowMetrics::classes, "classes", "Completions by class of service", core::always);
  field(&FlowMetrics::workers, "workers", "Numbers of each worker, by name", core::always);
  field(&FlowMetrics::flow, "flow", "Cumulative flow: where everything stood at the end of each day",
        core::always);
}

/// How many checks of ended runs failed and passed when they were run again.
struct FlakyChecks {
  std::string board;
  std::int64_t n = 0;
};
/// Those since that time of each board that is not archived, to a quarter of an hour.
std::vector<FlakyChecks> flaky_checks(OperationContext& ctx, core::Instant since);

/// The numbers of a board's flow, from its history.
core::Result<FlowMetrics> flow_metrics(OperationContext& ctx, MetricsRequest const& request);

}  // namespace andon::service
