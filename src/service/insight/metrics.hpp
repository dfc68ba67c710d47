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
BOOST_DESCRIBE_STRUCT(MetricsRequest, (), (board, days, since, utc_offset))
inline constexpr std::array kMetricsRequestFields{
    core::Field{"board", "Board by name or number; the first one when left out"},
    core::Field{"days", "How many days back, today included: 1 to 3660; 30 when left out"},
    core::Field{"since", "Since this day instead"},
    core::Field{"utc_offset", "Where days begin, such as +02:00; at midnight UTC when left out"}};
constexpr auto const& fields(MetricsRequest const*) { return kMetricsRequestFields; }

struct AgingItem {
  core::TaskId id = 0;
  std::string title;
  std::string status;
  double age_hours = 0;
};
BOOST_DESCRIBE_STRUCT(AgingItem, (), (id, title, status, age_hours))
inline constexpr std::array kAgingItemFields{
    core::Field{"id", "Number of the task", core::always}, core::Field{"title", "One line", core::always},
    core::Field{"status", "Column it is in", core::always},
    core::Field{"age_hours", "Hours since it was started", core::always}};
constexpr auto const& fields(AgingItem const*) { return kAgingItemFields; }

/// The verdicts of reviewers.
struct Verdicts {
  std::int64_t accepted = 0;
  std::int64_t rejected = 0;
  std::optional<double> acceptance_rate;
};
BOOST_DESCRIBE_STRUCT(Verdicts, (), (accepted, rejected, acceptance_rate))
inline constexpr std::array kVerdictsFields{
    core::Field{"accepted", "Results that were accepted", core::always},
    core::Field{"rejected", "Results that were sent back", core::always},
    core::Field{"acceptance_rate", "Accepted ones among these, 0 to 1"}};
constexpr auto const& fields(Verdicts const*) { return kVerdictsFields; }

struct WorkerFlow {
  std::string name;
  std::int64_t completed = 0;
  Verdicts verdicts;
  std::int64_t runs = 0;
  std::int64_t failed_runs = 0;
  double busy_hours = 0;
  std::optional<double> utilisation;
  core::Usage usage;
};
BOOST_DESCRIBE_STRUCT(WorkerFlow, (),
                      (name, completed, verdicts, runs, failed_runs, busy_hours, utilisation, usage))
inline constexpr std::array kWorkerFlowFields{
    core::Field{"name", "Worker or person", core::always},
    core::Field{"completed", "Tasks it finished", core::always},
    core::Field{"verdicts", "What reviewers said of its results", core::always},
    core::Field{"runs", "Attempts that ended", core::always},
    core::Field{"failed_runs", "Of these, those that did not succeed", core::always},
    core::Field{"busy_hours", "Hours of its runs on this board", core::always},
    core::Field{"utilisation", "These hours by those it could have worked, 0 to 1; registered workers only"},
    core::Field{"usage", "Tokens and money", core::always}};
constexpr auto const& fields(WorkerFlow const*) { return kWorkerFlowFields; }

struct ClassFlow {
  std::string class_;
  std::int64_t completed = 0;
  std::optional<double> share;
  std::optional<double> target;
};
BOOST_DESCRIBE_STRUCT(ClassFlow, (), (class_, completed, share, target))
inline constexpr std::array kClassFlowFields{
    core::Field{"class", "Class of service", core::always},
    core::Field{"completed", "Tasks of it that were finished", core::always},
    core::Field{"share", "Its share of everything finished, 0 to 1"},
    core::Field{"target", "The share the board wants, 0 to 1"}};
constexpr auto const& fields(ClassFlow const*) { return kClassFlowFields; }

struct Totals {
  std::int64_t boards = 0;
  std::int64_t tasks = 0;
  std::int64_t open = 0;
  std::int64_t work_in_progress = 0;
};
BOOST_DESCRIBE_STRUCT(Totals, (), (boards, tasks, open, work_in_progress))
inline constexpr std::array kTotalsFields{
    core::Field{"boards", "Boards of this store that are not archived", core::always},
    core::Field{"tasks", "Tasks of this board that are not archived", core::always},
    core::Field{"open", "Of these, those that are not finished", core::always},
    core::Field{"work_in_progress", "Of these, those claimed, active, in review or blocked", core::always}};
constexpr auto const& fields(Totals const*) { return kTotalsFields; }

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
  Totals totals;
  std::vector<ClassFlow> classes;
  std::vector<WorkerFlow> workers;
  std::vector<core::DayOfFlow> flow;
};
BOOST_DESCRIBE_STRUCT(FlowMetrics, (),
                      (throughput_7d, throughput_30d, avg_lead_time_hours, avg_cycle_time_hours,
                       flow_efficiency, aging_items, board, from, to, completed, throughput_per_day,
                       lead_time, cycle_time, active_share, average_wip, expected_cycle_time_hours, verdicts,
                       retries, failures, usage, totals, classes, workers, flow))
inline constexpr std::array kFlowMetricsFields{
    core::Field{"throughput_7d", "Tasks finished in the last 7 days", core::always},
    core::Field{"throughput_30d", "Tasks finished in the last 30 days", core::always},
    core::Field{"avg_lead_time_hours", "Mean hours from creation to completion"},
    core::Field{"avg_cycle_time_hours", "Mean hours from start to completion"},
    core::Field{"flow_efficiency", "Mean cycle time by mean lead time, 0 to 1"},
    core::Field{"aging_items", "Work under way, the longest started first; at most 100"},
    core::Field{"board", "Name of the board", core::always},
    core::Field{"from", "First day of the numbers below", core::always},
    core::Field{"to", "Today", core::always},
    core::Field{"completed", "Tasks finished on these days", core::always},
    core::Field{"throughput_per_day", "The same by day", core::always},
    core::Field{"lead_time", "From creation to completion", core::always},
    core::Field{"cycle_time", "From start to completion", core::always},
    core::Field{"active_share",
                "Share of the lead time spent in active columns, 0 to 1; of the last 1,000 tasks finished"},
    core::Field{"average_wip", "Mean of the work in progress at the ends of the days", core::always},
    core::Field{"expected_cycle_time_hours", "What Little's law says: average_wip by throughput_per_day"},
    core::Field{"verdicts", "What reviewers said", core::always},
    core::Field{"retries", "Failed attempts that were tried again", core::always},
    core::Field{"failures", "Tasks whose attempts were used up", core::always},
    core::Field{"usage", "Tokens and money of the runs that ended", core::always},
    core::Field{"totals", "How much there is now", core::always},
    core::Field{"classes", "Completions by class of service", core::always},
    core::Field{"workers", "Numbers of each worker, by name", core::always},
    core::Field{"flow", "Cumulative flow: where everything stood at the end of each day", core::always}};
constexpr auto const& fields(FlowMetrics const*) { return kFlowMetricsFields; }

/// The numbers of a board's flow, from its history.
core::Result<FlowMetrics> flow_metrics(OperationContext& ctx, MetricsRequest const& request);

}  // namespace andon::service
