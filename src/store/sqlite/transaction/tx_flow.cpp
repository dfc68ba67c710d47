#include <algorithm>

#include "reflect/text.hpp"
#include "store/sqlite/counters/flow_totals.hpp"
#include "store/sqlite/counters/tallies.hpp"
#include "store/sqlite/transaction/transaction.hpp"

namespace andon::store::sqlite {
namespace {

Query const kTalliesDrop{"tallies_drop"};
Query const kTalliesDueDrop{"tallies_due_drop"};
Query const kMoveTotals{"move_totals"};
Query const kFinishedTotals{"finished_totals"};
Query const kSpreads{"spread_totals"};
Query const kRunTotals{"run_totals"};

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

FlowTotals Transaction::flow_to_come() {
  return pending_flow(db_, [this](std::string_view name) { return board_cache_.board(name); }, last_seq());
}

void Transaction::settle_counts() {
  bool const many =
      has_pending_tallies(db_, kMostPending) || has_pending_flow(db_, numbers_->seq, kMostPending);
  if (many) settle_counts_now();
}

void Transaction::drop_counts(core::Board const& board) {
  settle_counts_now();
  drop_totals(db_, board);
  for (auto const& query : {kTalliesDrop, kTalliesDueDrop}) db_.run(query, board.id);
}

void Transaction::settle_counts_now() {
  settle_flow(db_, [this](std::string_view name) { return board_cache_.board(name); }, numbers_->seq);
  settle_tallies(db_);  // must be last, because it clears the list of changed tasks
}

std::vector<MoveTotal> Transaction::move_totals(BoardId board, core::Instant since) {
  refresh();
  auto const from = quarter_of(since);
  std::vector<MoveTotal> out;
  for (auto row = db_.query(kMoveTotals, board, from); row.step();)
    out.push_back(total_of(MoveKey{board, row.instant(0), row.text(1), row.text(2), row.text(3), row.text(4)},
                           row.integer(5)));
  for (auto const& [key, n] : flow_to_come().moves)
    if (key.board == board && key.at >= from) out.push_back(total_of(key, n));
  std::ranges::sort(out, {}, &MoveTotal::at);
  return out;
}

std::vector<FinishedTotal> Transaction::finished_totals(BoardId board, core::Instant since) {
  refresh();
  auto const from = quarter_of(since);
  std::vector<FinishedTotal> out;
  for (auto row = db_.query(kFinishedTotals, board, from); row.step();)
    out.push_back(total_of(FinishedKey{board, row.instant(0), row.text(1), row.text(2)},
                           {row.integer(3), row.integer(4), row.integer(5), row.integer(6), row.integer(7)}));
  for (auto const& [key, sum] : flow_to_come().finished)
    if (key.board == board && key.at >= from && sum != FinishedSum{}) out.push_back(total_of(key, sum));
  std::ranges::sort(out, {}, &FinishedTotal::at);
  return out;
}

TimeSpreads Transaction::time_spreads(BoardId board, core::Instant since) {
  refresh();
  auto const day = std::chrono::floor<std::chrono::days>(since).time_since_epoch().count();
  std::map<int, std::int64_t> lead, cycle;
  for (auto row = db_.query(kSpreads, board, std::int64_t{day}); row.step();)
    (row.view(0) == "cycle" ? cycle : lead)[static_cast<int>(row.integer(1))] += row.integer(2);
  for (auto const& [key, n] : flow_to_come().spreads)
    if (key.board == board && key.day >= day) (key.is_cycle ? cycle : lead)[key.bucket] += n;
  return {times_in(lead), times_in(cycle)};
}

std::vector<RunTotal> Transaction::run_totals(std::string_view board, core::Instant since) {
  std::map<std::string, RunTotal, std::less<>> workers;
  for (auto row = db_.query(kRunTotals, board, quarter_of(since)); row.step();) {
    auto& total = workers[row.text(0)];
    total.runs += row.integer(1);
    total.failed += row.integer(2);
    total.busy += core::Duration{row.integer(3)};
    total.usage.input += row.integer(4);
    total.usage.output += row.integer(5);
    total.usage.cache_read += row.integer(6);
    total.usage.cache_write += row.integer(7);
    total.usage.reasoning += row.integer(8);
    total.usage.cost_usd = total.usage.cost_usd.value_or(0) + row.real(9);
  }
  std::vector<RunTotal> out;
  for (auto& [name, total] : workers) {
    total.worker = name;
    out.push_back(std::move(total));
  }
  return out;
}

}  // namespace andon::store::sqlite
