#include "service/insight/metrics.hpp"

#include <algorithm>
#include <map>

#include "core/model/usage_sum.hpp"
#include "core/runs/spending.hpp"
#include "service/insight/flow_history.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

using core::Code;
using core::Duration;
using core::Instant;
using core::Result;
using core::Stage;

constexpr int kShownDays = 30;
constexpr int kMostMetricsDays = 3660;
constexpr std::size_t kMostAging = 100;
constexpr Duration kDay = std::chrono::hours{24};

Result<Period> period_of(OperationContext& ctx, MetricsRequest const& r) {
  Period period;
  ANDON_SET(period.utc_offset, parse_utc_offset(r.utc_offset));
  period.today = core::day_of(ctx.now, period.utc_offset);
  auto const days = r.days.value_or(kShownDays);
  if (days < 1 || days > kMostMetricsDays)
    return core::refuse(Code::kInvalidInput, "\"days\" must be from 1 to 3660", "days");
  if (r.since && r.days)
    return core::refuse(Code::kStatusConflict, "cannot use \"days\" and \"since\" together", "since");
  period.first = {period.today.day - std::chrono::days{days - 1}};
  if (r.since) period.first = std::min(*r.since, period.today);
  if (days_in(period) > kMostMetricsDays)
    period.first = {period.today.day - std::chrono::days{kMostMetricsDays - 1}};
  period.begin = core::start_of(period.first, period.utc_offset);
  // A date to come shows no days, and nothing was finished after it.
  if (r.since) period.begin = std::max(period.begin, core::start_of(*r.since, period.utc_offset));
  return period;
}

/// The engine sends back work under way and work that did not land; `retry` takes up what was parked.
bool was_attempted(Stage from) { return core::is_in_work(from) || from == Stage::done; }

void count(Verdicts& verdicts, core::Verdict verdict, std::int64_t n) {
  (verdict == core::Verdict::accepted ? verdicts.accepted : verdicts.rejected) += n;
  verdicts.acceptance_rate = core::share_of(verdicts.accepted, verdicts.accepted + verdicts.rejected);
}

/// Tokens without any price have no cost, which is not a cost of nothing.
void hide_unknown_cost(core::Usage& usage) {
  if (usage.cost_usd.value_or(0) <= 0) usage.cost_usd.reset();
}

/// Works out the numbers part by part from what the store tells of the period.
class Measurement {
 public:
  Measurement(OperationContext& ctx, core::Board board, Period period)
      : ctx_(ctx),
        board_(std::move(board)),
        period_(period),
        history_(ctx, board_, period.begin),
        moves_(ctx.tx.move_totals(board_.id, period.begin)) {}

  FlowMetrics take(bool since) {
    out_.board = board_.name;
    out_.from = period_.first;
    out_.to = period_.today;
    measure_throughput(since);
    measure_times();
    measure_aging();
    measure_runs();
    measure_moves();
    measure_flow();
    measure_classes();
    for (auto& [name, worker] : workers_) {
      hide_unknown_cost(worker.usage);
      out_.workers.push_back(std::move(worker));
    }
    hide_unknown_cost(out_.usage);
    return std::move(out_);
  }

 private:
  /// kanban-md's two counts go back 7 and 30 times 24 hours, unless `since` cuts them short.
  void measure_throughput(bool since) {
    auto const month = ctx_.now - 30 * kDay;
    auto const begin = since ? std::max(month, period_.begin) : month;
    auto const count = [&](Instant at) { return count_since(ctx_, board_, finished_, at); };
    finished_ = finished_work(ctx_, board_, std::min(begin, period_.begin));
    out_.throughput_30d = count(begin);
    out_.throughput_7d = count(std::max(begin, ctx_.now - 7 * kDay));
    out_.completed = count(period_.begin);
    std::erase_if(finished_.tasks, [&](auto const& task) { return task.completed < period_.begin; });
    std::erase_if(finished_.totals, [&](auto const& total) { return total.at < period_.begin; });
    out_.throughput_per_day = static_cast<double>(out_.completed) / static_cast<double>(days_in(period_));
  }

  void measure_times() {
    finished_.is_in_totals() ? measure_total_times() : measure_each_time();
    if (out_.lead_time.count > 0) out_.avg_lead_time_hours = out_.lead_time.mean_hours;
    if (out_.cycle_time.count > 0) out_.avg_cycle_time_hours = out_.cycle_time.mean_hours;
    measure_active_share();
  }

  void measure_each_time() {
    std::vector<core::Delivery> deliveries;
    std::vector<Duration> lead, cycle;
    for (auto const& task : finished_.tasks) {
      core::Delivery const delivery{task.created, task.started, task.completed};
      deliveries.push_back(delivery);
      lead.push_back(core::lead_time(delivery));
      if (auto const time = core::cycle_time(delivery)) cycle.push_back(*time);
    }
    out_.lead_time = core::spread_of(std::move(lead));
    out_.cycle_time = core::spread_of(std::move(cycle));
    out_.flow_efficiency = core::flow_efficiency(deliveries);
  }

  void measure_total_times() {
    std::int64_t n = 0, cycles = 0;
    Duration lead{0}, cycle{0}, lead_of_cycles{0};
    for (auto const& total : finished_.totals) {
      n += total.n, cycles += total.cycles;
      lead += total.lead, cycle += total.cycle, lead_of_cycles += total.lead_of_cycles;
    }
    auto const spreads = ctx_.tx.time_spreads(board_.id, period_.begin);
    auto const spread = [](auto const& times, std::int64_t count, Duration sum) {
      auto out = core::spread_of_counts(times);
      out.count = count;
      if (count > 0) out.mean_hours = core::hours(sum) / static_cast<double>(count);
      return out;
    };
    out_.lead_time = spread(spreads.lead, n, lead);
    out_.cycle_time = spread(spreads.cycle, cycles, cycle);
    out_.flow_efficiency = core::share_of(cycle.count(), lead_of_cycles.count());
  }

  /// Measures only the latest tasks when there are many.
  void measure_active_share() {
    auto const tasks = ctx_.tx.finished_last(board_.id, period_.begin, store::Tx::kMostTraced);
    std::vector<core::TaskId> ids;
    for (auto const& task : tasks) ids.push_back(task.id);
    auto const all = ctx_.tx.moves_of(ids);
    auto const oldest = std::ranges::min_element(all, {}, &store::ColumnMove::at);
    ColumnHistory const history{ctx_, board_, oldest == all.end() ? ctx_.now : oldest->at};
    std::map<core::TaskId, std::vector<core::StageMove>> moves;
    for (auto const& move : all) moves[move.task].push_back(history.stages_of(move));
    Duration active{0}, lead{0};
    for (auto const& task : tasks) {
      if (!moves.contains(task.id)) continue;
      active += core::active_time(moves[task.id], task.completed);
      lead += core::lead_time({task.created, task.started, task.completed});
    }
    out_.active_share = core::share_of(active.count(), lead.count());
  }

  void measure_aging() {
    for (auto const& task : ctx_.tx.longest_started(board_.id, kMostAging))
      out_.aging_items.push_back({task.id, task.title, task.status, core::hours(ctx_.now - *task.started)});
  }

  void measure_runs() {
    for (auto const& total : ctx_.tx.run_totals(board_.name, period_.begin)) {
      auto& worker = worker_named(total.worker);
      worker.busy_hours += core::hours(total.busy);
      worker.runs += total.runs;
      worker.failed_runs += total.failed;
      worker.usage += total.usage;
      worker.unpriced += total.unpriced;
      out_.usage += total.usage;
      out_.unpriced += total.unpriced;
      worker.flaky_checks += total.flaky;
      out_.flaky_checks += total.flaky;
    }
    for (auto const& run : ctx_.tx.live_runs())
      if (run.board == board_.name) measure_live(run);
    for (auto const& worker : ctx_.tx.workers())
      if (core::serves(worker, board_.name)) measure_utilisation(worker);
  }

  void measure_live(core::Run const& run) {
    auto& worker = worker_named(run.worker);
    worker.busy_hours += core::hours(std::max(ctx_.now - std::max(run.started, period_.begin), Duration{0}));
    if (!run.usage) return;
    auto const unpriced = core::spent_by(run).unpriced_runs;
    worker.usage += *run.usage;
    worker.unpriced += unpriced;
    out_.usage += *run.usage;
    out_.unpriced += unpriced;
  }

  void measure_utilisation(core::Worker const& worker) {
    auto& flow = worker_named(worker.name);
    auto const hours = core::hours(ctx_.now - std::max(period_.begin, worker.created)) * worker.capacity;
    if (hours > 0) flow.utilisation = flow.busy_hours / hours;
  }

  void measure_moves() {
    for (auto const& moves : moves_) {
      auto const stages = stages_of(moves);
      if (moves.kind == core::EventKind::task_retried && stages.from && was_attempted(*stages.from))
        out_.retries += moves.n;
      if (moves.kind == core::EventKind::task_failed) out_.failures += moves.n;
      auto const verdict = core::verdict_of(stages);
      if (!verdict || moves.kind == core::EventKind::board_changed) continue;
      count(out_.verdicts, *verdict, moves.n);
      if (!moves.worker.empty()) count(worker_named(moves.worker).verdicts, *verdict, moves.n);
    }
    auto const of_few = finished_.is_in_totals() ? std::vector<store::FinishedTotal>{}
                                                 : ctx_.tx.finished_totals(board_.id, period_.begin);
    for (auto const& total : finished_.is_in_totals() ? finished_.totals : of_few)
      if (!total.worker.empty()) worker_named(total.worker).completed += total.n;
  }

  core::StageMove stages_of(store::MoveTotal const& moves) const {
    auto out = history_.stages_of({moves.at, moves.kind, 0, moves.from, moves.to});
    out.count = moves.n;
    return out;
  }

  void measure_flow() {
    core::StageCounts counts;
    for (auto const& [status, n] : ctx_.tx.load(board_.id).columns)
      if (auto const stage = known_stage(board_, status)) core::count_of(counts, *stage) += n;
    std::vector<core::StageMove> moves;
    for (auto const& move : moves_) moves.push_back(stages_of(move));
    out_.flow = core::cumulative_flow(counts, moves, period_.first, ctx_.now, period_.utc_offset);
    out_.average_wip = core::average_wip(out_.flow);
    if (auto const time = core::expected_cycle_time(out_.average_wip, out_.throughput_per_day))
      out_.expected_cycle_time_hours = core::hours(*time);
    measure_totals(counts);
  }

  void measure_totals(core::StageCounts counts) {
    auto& totals = out_.totals;
    for (std::size_t i = 0; i < core::kStages; ++i) {
      auto const stage = static_cast<Stage>(i);
      if (!core::is_archived(stage)) totals.tasks += core::count_of(counts, stage);
      if (!core::is_terminal(stage)) totals.open += core::count_of(counts, stage);
    }
    totals.work_in_progress = core::work_in_progress(counts);
    for (auto const* board : ctx_.tx.boards())
      if (!board->archived) ++totals.boards;
  }

  void measure_classes() {
    for (auto const& service_class : board_.classes) {
      ClassFlow flow{service_class.name, 0, {}, {}};
      for (auto const& task : finished_.tasks)
        if (class_of(task.class_) == service_class.name) ++flow.completed;
      for (auto const& total : finished_.totals)
        if (class_of(total.class_) == service_class.name) flow.completed += total.n;
      flow.share = core::share_of(flow.completed, out_.completed);
      if (service_class.share > 0) flow.target = service_class.share / 100.0;
      out_.classes.push_back(std::move(flow));
    }
  }

  std::string class_of(std::string const& name) const {
    if (!name.empty()) return name;
    return board_.default_class.empty() ? std::string{core::kStandard} : board_.default_class;
  }

  WorkerFlow& worker_named(std::string const& name) {
    auto& worker = workers_[name];
    worker.name = name;
    return worker;
  }

  OperationContext& ctx_;
  core::Board board_;
  Period period_;
  ColumnHistory history_;
  std::vector<store::MoveTotal> moves_;
  FinishedWork finished_;
  std::map<std::string, WorkerFlow> workers_;
  FlowMetrics out_;
};

}  // namespace

std::vector<FlakyChecks> flaky_checks(OperationContext& ctx, Instant since) {
  std::vector<FlakyChecks> out;
  for (auto const* board : ctx.tx.boards()) {
    if (board->archived) continue;
    auto& of_board = out.emplace_back(FlakyChecks{board->name});
    for (auto const& total : ctx.tx.run_totals(board->name, since)) of_board.n += total.flaky;
  }
  return out;
}

Result<FlowMetrics> flow_metrics(OperationContext& ctx, MetricsRequest const& r) {
  ANDON_TRY(auto const* board, find_board(ctx, r.board));
  ANDON_TRY(auto const period, period_of(ctx, r));
  return Measurement{ctx, *board, period}.take(r.since.has_value());
}

}  // namespace andon::service
