#include "store/sql/session/count_rows.hpp"

namespace andon::store::sql {
namespace {

Query const kMoveAdd{"move_total_add"};
Query const kFinishedAdd{"finished_total_add"};
Query const kFinishedDropEmpty{"finished_total_drop_empty"};
Query const kSpreadAdd{"spread_total_add"};
Query const kSpreadDropEmpty{"spread_total_drop_empty"};
Query const kRunTotalAdd{"run_total_add"};
Query const kTallyAdd{"tally_add"};
Query const kTallyDropEmpty{"tally_drop_empty"};
Query const kDueAdd{"tally_due_add"};
Query const kDueDropEmpty{"tally_due_drop_empty"};

template <class... Arguments>
void run_keyed(Connection& db, Query const& query, engine::TallyKey const& key, Arguments... arguments) {
  std::visit(
      [&](auto const& value) {
        db.run(query, key.board, name_of(key.facet), value, key.status, arguments...);
      },
      key.value);
}

void add_to_tally(Connection& db, engine::TallyKey const& key, engine::TallyCounts const& change) {
  if (change.n != 0 || change.blocked != 0) {
    run_keyed(db, kTallyAdd, key, change.n, change.blocked);
    if (change.n <= 0) run_keyed(db, kTallyDropEmpty, key);
  }
  for (auto const& [day, n] : change.due) {
    if (n == 0) continue;
    run_keyed(db, kDueAdd, key, day, n);
    if (n < 0) run_keyed(db, kDueDropEmpty, key, day);
  }
}

}  // namespace

void add_to_totals(Connection& db, engine::FlowTotals const& totals) {
  for (auto const& [key, n] : totals.moves)
    db.run(kMoveAdd, key.board, key.at, key.kind, key.from, key.to, key.worker, n);
  for (auto const& [key, sum] : totals.finished) {
    if (sum == engine::FinishedSum{}) continue;
    db.run(kFinishedAdd, key.board, key.at, key.class_, key.worker, sum.n, sum.lead, sum.cycles, sum.cycle,
           sum.lead_of_cycles);
    if (sum.n < 0) db.run(kFinishedDropEmpty, key.board, key.at, key.class_, key.worker);
  }
  for (auto const& [key, n] : totals.spreads) {
    if (n == 0) continue;
    std::string_view const measure = key.is_cycle ? "cycle" : "lead";
    db.run(kSpreadAdd, key.board, key.day, measure, key.bucket, n);
    if (n < 0) db.run(kSpreadDropEmpty, key.board, key.day, measure, key.bucket);
  }
  for (auto const& [key, total] : totals.runs)
    db.run(kRunTotalAdd, key.board, key.at, key.worker, total.runs, total.failed, total.busy.count(),
           total.usage.input, total.usage.output, total.usage.cache_read, total.usage.cache_write,
           total.usage.reasoning, total.usage.cost_usd.value_or(0), total.unpriced, total.flaky);
}

void add_to_tallies(Connection& db, engine::TallyMap const& changes) {
  for (auto const& [key, change] : changes) add_to_tally(db, key, change);
}

}  // namespace andon::store::sql
