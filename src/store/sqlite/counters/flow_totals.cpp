#include "store/sqlite/counters/flow_totals.hpp"

#include <algorithm>
#include <limits>

#include "store/sql/rows/document.hpp"
#include "store/sql/rows/shared_queries.hpp"
#include "store/sql/session/count_rows.hpp"

namespace andon::store::sqlite {
namespace {

using sql::run_in;
using sql::Settled;

Query const kFlowTasks{"flow_tasks"};
Query const kFlowRuns{"flow_runs"};

constexpr std::int64_t kEverything = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kRowsPerStep = 20'000;  // rows per step that brings a database up to date
constexpr std::int64_t kLeast = 1'000;         // fewer uncounted events than this are left to the writer

/// Counts the next tasks; false when all of them are counted.
bool catch_up_tasks(Connection& db, Settled& to, engine::FlowTotals& out) {
  auto const last = std::stoll(db.value_of("SELECT coalesce(max(id), 0) FROM task"));
  if (to.task == kEverything) return false;
  for (auto row = db.query(kFlowTasks, to.task, to.task + kRowsPerStep); row.step();)
    if (!row.is_null(3) && row.integer(6) == 0) engine::count_finished(finished_task_in(row, 0), 1, out);
  to.task = to.task + kRowsPerStep >= last ? kEverything : to.task + kRowsPerStep;
  return true;
}

bool catch_up_runs(Connection& db, Settled& to, engine::FlowTotals& out) {
  auto const last = std::stoll(db.value_of("SELECT coalesce(max(id), 0) FROM run"));
  if (to.run == kEverything) return false;
  for (auto row = db.query(kFlowRuns, to.run, to.run + kRowsPerStep); row.step();)
    engine::count_run(run_in(row.view(1)), 1, out);
  to.run = to.run + kRowsPerStep >= last ? kEverything : to.run + kRowsPerStep;
  return true;
}

bool catch_up_events(Connection& db, BoardNamed const& board, Settled& to, engine::FlowTotals& out) {
  auto const last = last_seq(db);
  if (last - to.seq < kLeast) return false;
  auto const end = std::min(core::EventSeq{to.seq + kRowsPerStep}, last);
  engine::count_moves(read_moves(db, to.seq, end), board, out);
  to.seq = end;
  return true;
}

bool is_settled(Connection& db) {
  auto const to = settled(db);
  return to.task == kEverything && to.run == kEverything && last_seq(db) - to.seq < kLeast;
}

}  // namespace

bool catch_up_flow(Connection& db, BoardNamed const& board) {
  if (is_settled(db)) return false;
  engine::FlowTotals totals;
  db.execute("BEGIN IMMEDIATE");
  try {
    auto to = settled(db);
    bool const more = catch_up_tasks(db, to, totals) || catch_up_runs(db, to, totals) ||
                      catch_up_events(db, board, to, totals);
    if (more) add_to_totals(db, totals);
    if (more) set_settled(db, to);
    db.execute("COMMIT");
    return more;
  } catch (...) {
    if (db.in_transaction()) db.execute("ROLLBACK");
    throw;
  }
}

}  // namespace andon::store::sqlite
