#include "store/engine/flow_totals.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <tuple>

#include "core/model/board.hpp"
#include "core/runs/spending.hpp"

namespace andon::store::engine {
namespace {

core::Instant beginning_of_period(core::Instant at, std::vector<core::Instant> const& changes) {
  auto const quarter = quarter_of(at);
  auto const after = std::ranges::lower_bound(changes, at);
  if (after == changes.begin() || *std::prev(after) < quarter) return quarter;
  return *std::prev(after) + core::Duration{1};
}

std::int64_t flaky_checks(core::Run const& run) {
  return std::ranges::count(run.checks, true, &core::CheckResult::flaky);
}

}  // namespace

RunTotal& operator+=(RunTotal& total, RunTotal const& more) {
  total.worker = more.worker;
  total.runs += more.runs;
  total.failed += more.failed;
  total.busy += more.busy;
  total.usage.input += more.usage.input;
  total.usage.output += more.usage.output;
  total.usage.cache_read += more.usage.cache_read;
  total.usage.cache_write += more.usage.cache_write;
  total.usage.reasoning += more.usage.reasoning;
  total.usage.cost_usd = total.usage.cost_usd.value_or(0) + more.usage.cost_usd.value_or(0);
  total.unpriced += more.unpriced;
  total.flaky += more.flaky;
  return total;
}

void count_moves(UncountedMoves const& from, BoardNamed const& board_named, FlowTotals& out) {
  static std::vector<core::Instant> const kNever;
  for (auto const& move : from.moves) {
    auto const* board = board_named(move.board);
    if (!board) continue;
    auto const changes = from.column_changes.find(move.board);
    auto const& times = changes == from.column_changes.end() ? kNever : changes->second;
    MoveKey key{board->id, beginning_of_period(move.at, times), move.kind, move.from, move.to, {}};
    if (!key.from.empty() && core::stage_of(*board, key.from) == core::Stage::review)
      key.worker = move.worker;
    // The operation that removes or renames a column notes that in the events of its tasks.
    if (move.data.contains("\"column_re")) key.kind = "board.changed";
    ++out.moves[key];
  }
}

void count_finished(FinishedTask const& task, std::int64_t by, FlowTotals& out) {
  auto const lead = std::max(task.completed - task.created, core::Duration{0});
  auto const day = std::chrono::floor<std::chrono::days>(task.completed).time_since_epoch().count();
  auto& sum = out.finished[{task.board, quarter_of(task.completed), task.class_, task.worker}];
  sum.n += by;
  sum.lead += by * lead.count();
  out.spreads[{task.board, day, false, bucket_of(lead)}] += by;
  if (!task.started) return;
  auto const cycle = std::max(task.completed - *task.started, core::Duration{0});
  sum.cycles += by;
  sum.cycle += by * cycle.count();
  sum.lead_of_cycles += by * lead.count();
  out.spreads[{task.board, day, true, bucket_of(cycle)}] += by;
}

void count_run(core::Run const& run, std::int64_t by, FlowTotals& out) {
  if (!run.ended) return;
  auto const usage = run.usage.value_or(core::Usage{});
  auto& total = out.runs[{run.board, quarter_of(*run.ended), run.worker}];
  total.worker = run.worker;
  total.runs += by;
  total.failed += run.outcome != core::Outcome::succeeded ? by : 0;
  total.busy += by * std::max(*run.ended - run.started, core::Duration{0});
  total.usage.input += by * usage.input;
  total.usage.output += by * usage.output;
  total.usage.cache_read += by * usage.cache_read;
  total.usage.cache_write += by * usage.cache_write;
  total.usage.reasoning += by * usage.reasoning;
  auto const cost = static_cast<double>(by) * usage.cost_usd.value_or(0);
  total.usage.cost_usd = total.usage.cost_usd.value_or(0) + cost;
  total.unpriced += by * core::spent_by(run).unpriced_runs;
  total.flaky += by * flaky_checks(run);
}

bool differ_in_totals(core::Run const& a, core::Run const& b) {
  auto const parts = [](core::Run const& run) {
    auto const usage = run.usage.value_or(core::Usage{});
    return std::tuple{run.ended,         run.board,       run.worker,     run.outcome,
                      run.started,       usage.input,     usage.output,   usage.cache_read,
                      usage.cache_write, usage.reasoning, usage.cost_usd, core::spent_by(run).unpriced_runs,
                      flaky_checks(run)};
  };
  return parts(a) != parts(b);
}

core::Instant quarter_of(core::Instant at) {
  return std::chrono::floor<std::chrono::duration<std::int64_t, std::ratio<900>>>(at);
}

int bucket_of(core::Duration time) {
  constexpr int kParts = 4;  // bits: 16 buckets for each power of two
  auto const seconds = static_cast<std::uint64_t>(std::max<std::int64_t>(time.count() / 1'000, 0));
  if (seconds < 1U << kParts) return static_cast<int>(seconds);
  auto const power = static_cast<int>(std::bit_width(seconds)) - 1;
  auto const part = static_cast<int>(seconds >> (power - kParts)) & ((1 << kParts) - 1);
  return ((power - kParts + 1) << kParts) + part;
}

core::Duration time_of_bucket(int bucket) {
  constexpr int kParts = 4;
  if (bucket < 1 << kParts) return std::chrono::seconds{bucket};
  auto const power = (bucket >> kParts) + kParts - 1;
  auto const part = static_cast<std::int64_t>((1 << kParts) | (bucket & ((1 << kParts) - 1)));
  auto const width = std::int64_t{1} << (power - kParts);
  return std::chrono::milliseconds{(part * width) * 1'000 + (width - 1) * 500};  // the middle of the bucket
}

}  // namespace andon::store::engine
