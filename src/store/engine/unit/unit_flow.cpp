#include <algorithm>
#include <map>

#include "reflect/text.hpp"
#include "store/engine/counters/counting.hpp"
#include "store/engine/driver.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::store::engine {
namespace {

/// The most changes that may wait to be counted.
constexpr std::int64_t kMostPending = 256;

MoveTotal total_of(MoveKey const& key, std::int64_t n) {
  MoveTotal total{key.at, {}, key.from, key.to, key.worker, n};
  reflect::TextForm<core::EventKind>::read(key.kind, total.kind);
  return total;
}

FinishedTotal total_of(FinishedKey const& key, FinishedSum const& sum) {
  using core::Duration;
  return {key.at,
          key.class_,
          key.worker,
          sum.n,
          Duration{sum.lead},
          sum.cycles,
          Duration{sum.cycle},
          Duration{sum.lead_of_cycles}};
}

std::vector<std::pair<core::Duration, std::int64_t>> times_in(std::map<int, std::int64_t> const& buckets) {
  std::vector<std::pair<core::Duration, std::int64_t>> out;
  for (auto const& [bucket, n] : buckets)
    if (n > 0) out.emplace_back(time_of_bucket(bucket), n);
  return out;
}

}  // namespace

BoardNamed Unit::boards_by_name() const {
  return [this](std::string_view name) { return board_cache_.board(name); };
}

FlowTotals Unit::flow_to_come() { return pending_flow(session_, boards_by_name()); }

void Unit::settle_counts() { engine::settle_counts(session_, boards_by_name(), numbers_->seq, kMostPending); }

void Unit::settle_counts_now() { engine::settle_counts(session_, boards_by_name(), numbers_->seq, 0); }

void Unit::drop_counts(core::Board const& board) {
  settle_counts_now();
  session_.remove(DropCounts{board});
}

std::vector<MoveTotal> Unit::move_totals(BoardId board, core::Instant since) {
  refresh();
  auto const from = quarter_of(since);
  auto out = session_.statistics(AskMoveTotals{board, from}).move_totals;
  auto const pending = flow_to_come();
  for (auto const& [key, n] : pending.moves)
    if (key.board == board && key.at >= from) out.push_back(total_of(key, n));
  std::ranges::sort(out, {}, &MoveTotal::at);
  return out;
}

std::vector<FinishedTotal> Unit::finished_totals(BoardId board, core::Instant since) {
  refresh();
  auto const from = quarter_of(since);
  auto out = session_.statistics(AskFinishedTotals{board, from}).finished_totals;
  auto const pending = flow_to_come();
  for (auto const& [key, sum] : pending.finished)
    if (key.board == board && key.at >= from && sum != FinishedSum{}) out.push_back(total_of(key, sum));
  std::ranges::sort(out, {}, &FinishedTotal::at);
  return out;
}

TimeSpreads Unit::time_spreads(BoardId board, core::Instant since) {
  refresh();
  auto const day = std::chrono::floor<std::chrono::days>(since).time_since_epoch().count();
  std::map<int, std::int64_t> lead, cycle;
  auto const stored = session_.statistics(AskSpreads{board, day}).spreads;
  for (auto const& [is_cycle, bucket, n] : stored) (is_cycle ? cycle : lead)[bucket] += n;
  auto const pending = flow_to_come();
  for (auto const& [key, n] : pending.spreads)
    if (key.board == board && key.day >= day) (key.is_cycle ? cycle : lead)[key.bucket] += n;
  return {times_in(lead), times_in(cycle)};
}

std::vector<RunTotal> Unit::run_totals(std::string_view board, core::Instant since) {
  std::map<std::string, RunTotal, std::less<>> workers;
  auto const stored = session_.statistics(AskRunTotals{board, quarter_of(since)}).run_totals;
  for (auto const& row : stored) workers[row.worker] += row;
  std::vector<RunTotal> out;
  for (auto& [name, total] : workers) out.push_back(std::move(total));
  return out;
}

}  // namespace andon::store::engine
