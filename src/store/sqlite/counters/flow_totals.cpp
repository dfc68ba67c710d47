// Flow totals are derived from the history and from the tasks, but not when these are written. So a change of
// a task writes no page of a total. Two marks show what is still to be counted: the number of the last
// counted event, and the tasks in `tally_stale`, whose rows differ from what was counted. The writer counts
// when a few hundred changes wait, in the batch that adds the last of them. A reader adds the uncounted
// changes to the stored totals.
#include "store/sqlite/counters/flow_totals.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "store/sqlite/rows/document.hpp"
#include "store/sqlite/rows/shared_queries.hpp"

namespace andon::store::sqlite {
namespace {

Query const kFlowSettled{"flow_settled"};
Query const kSetSettled{"flow_set_settled"};
Query const kFlowEvents{"flow_events"};
Query const kColumnChanges{"column_changes"};
Query const kStaleTasks{"flow_stale_tasks"};
Query const kFlowTasks{"flow_tasks"};
Query const kFlowRuns{"flow_runs"};
Query const kMoveAdd{"move_total_add"};
Query const kFinishedAdd{"finished_total_add"};
Query const kFinishedDropEmpty{"finished_total_drop_empty"};
Query const kSpreadAdd{"spread_total_add"};
Query const kSpreadDropEmpty{"spread_total_drop_empty"};
Query const kRunTotalAdd{"run_total_add"};
Query const kMovesDrop{"move_totals_drop"};
Query const kFinishedDrop{"finished_totals_drop"};
Query const kSpreadsDrop{"spread_totals_drop"};
Query const kRunsDrop{"run_totals_drop"};

constexpr std::int64_t kEverything = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kRowsPerStep = 20'000;  // rows per step that brings a database up to date
constexpr std::int64_t kLeast = 1'000;         // fewer uncounted events than this are left to the writer

/// The last event, task and run that the totals include.
struct Settled {
  core::EventSeq seq = 0;
  std::int64_t task = 0, run = 0;
};
Settled settled(Connection& db) {
  auto row = db.query(kFlowSettled);
  return row.step() ? Settled{core::EventSeq{row.integer(0)}, row.integer(1), row.integer(2)} : Settled{};
}
void set_settled(Connection& db, Settled const& to) { db.run(kSetSettled, to.seq, to.task, to.run); }

std::int64_t milliseconds(core::Duration time) { return time.count(); }

/// Counts moves by quarters of an hour. A quarter in which a column changed its meaning is split at that
/// change.
class MoveCounter {
 public:
  MoveCounter(Connection& db, BoardNamed const& board, FlowTotals& out) : db_(db), board_(board), out_(out) {}

  /// A row of `flow_events`.
  void count(Statement const& row) {
    auto const* board = board_(row.view(3));
    if (!board) return;
    MoveKey key{board->id, beginning(*board, row.instant(1)), row.text(2), row.text(4), row.text(5), {}};
    if (!key.from.empty() && core::stage_of(*board, key.from) == core::Stage::review)
      key.worker = row.text(6);
    // The operation that removes or renames a column notes that in the events of its tasks.
    if (row.view(7).find("\"column_re") != std::string_view::npos) key.kind = "board.changed";
    ++out_.moves[key];
  }

 private:
  core::Instant beginning(core::Board const& board, core::Instant at) {
    auto const quarter = quarter_of(at);
    auto const [found, is_new] = changes_.try_emplace(board.id);
    if (is_new)
      for (auto row = db_.query(kColumnChanges, board.name, quarter); row.step();)
        found->second.push_back(row.instant(0));
    auto const& changes = found->second;
    auto const after = std::ranges::lower_bound(changes, at);
    if (after == changes.begin() || *std::prev(after) < quarter) return quarter;
    return *std::prev(after) + core::Duration{1};
  }

  Connection& db_;
  BoardNamed const& board_;
  FlowTotals& out_;
  std::map<core::BoardId, std::vector<core::Instant>> changes_;
};

void count_moves(Connection& db, BoardNamed const& board, core::EventSeq after, core::EventSeq last,
                 FlowTotals& out) {
  MoveCounter counter{db, board, out};
  for (auto row = db.query(kFlowEvents, after, last); row.step();) counter.count(row);
}

/// Counts the finished task that six columns of the row, from `first` on, describe.
void count_finished(Statement const& row, int first, std::int64_t by, FlowTotals& out) {
  auto const board = core::BoardId{row.integer(first)};
  auto const completed = row.instant(first + 3);
  auto const lead = std::max(completed - row.instant(first + 1), core::Duration{0});
  auto const day = std::chrono::floor<std::chrono::days>(completed).time_since_epoch().count();
  auto& sum = out.finished[{board, quarter_of(completed), row.text(first + 4), row.text(first + 5)}];
  sum.n += by;
  sum.lead += by * milliseconds(lead);
  out.spreads[{board, day, false, bucket_of(lead)}] += by;
  if (row.is_null(first + 2)) return;
  auto const cycle = std::max(completed - row.instant(first + 2), core::Duration{0});
  sum.cycles += by;
  sum.cycle += by * milliseconds(cycle);
  sum.lead_of_cycles += by * milliseconds(lead);
  out.spreads[{board, day, true, bucket_of(cycle)}] += by;
}

void count_changed_tasks(Connection& db, FlowTotals& out) {
  constexpr int kAsItIs = 6, kWasAbandoned = 12, kIsAbandoned = 13;
  for (auto row = db.query(kStaleTasks); row.step();) {
    bool const was_finished = !row.is_null(3) && row.integer(kWasAbandoned) == 0;
    bool const is_finished = !row.is_null(kAsItIs + 3) && row.integer(kIsAbandoned) == 0;
    if (was_finished) count_finished(row, 0, -1, out);
    if (is_finished) count_finished(row, kAsItIs, 1, out);
  }
}

void write(Connection& db, FlowTotals const& totals) {
  for (auto const& [key, n] : totals.moves)
    db.run(kMoveAdd, key.board, key.at, key.kind, key.from, key.to, key.worker, n);
  for (auto const& [key, sum] : totals.finished) {
    if (sum == FinishedSum{}) continue;
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
}

/// Counts the next tasks; false when all of them are counted.
bool catch_up_tasks(Connection& db, Settled& to, FlowTotals& out) {
  auto const last = std::stoll(db.value_of("SELECT coalesce(max(id), 0) FROM task"));
  if (to.task == kEverything) return false;
  for (auto row = db.query(kFlowTasks, to.task, to.task + kRowsPerStep); row.step();)
    if (!row.is_null(3) && row.integer(6) == 0) count_finished(row, 0, 1, out);
  to.task = to.task + kRowsPerStep >= last ? kEverything : to.task + kRowsPerStep;
  return true;
}

bool catch_up_runs(Connection& db, Settled& to) {
  auto const last = std::stoll(db.value_of("SELECT coalesce(max(id), 0) FROM run"));
  if (to.run == kEverything) return false;
  for (auto row = db.query(kFlowRuns, to.run, to.run + kRowsPerStep); row.step();)
    total_run(db, run_in(row.view(1)), 1);
  to.run = to.run + kRowsPerStep >= last ? kEverything : to.run + kRowsPerStep;
  return true;
}

bool catch_up_events(Connection& db, BoardNamed const& board, Settled& to, FlowTotals& out) {
  auto const last = last_seq(db);
  if (last - to.seq < kLeast) return false;
  auto const end = std::min(core::EventSeq{to.seq + kRowsPerStep}, last);
  count_moves(db, board, to.seq, end, out);
  to.seq = end;
  return true;
}

bool is_settled(Connection& db) {
  auto const to = settled(db);
  return to.task == kEverything && to.run == kEverything && last_seq(db) - to.seq < kLeast;
}

}  // namespace

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

FlowTotals pending_flow(Connection& db, BoardNamed const& board, core::EventSeq last_seq) {
  FlowTotals out;
  count_moves(db, board, settled(db).seq, last_seq, out);
  count_changed_tasks(db, out);
  return out;
}

bool has_pending_flow(Connection& db, core::EventSeq last_seq, std::int64_t most) {
  return last_seq - settled(db).seq >= most;
}

void drop_totals(Connection& db, core::Board const& board) {
  for (auto const& query : {kMovesDrop, kFinishedDrop, kSpreadsDrop}) db.run(query, board.id);
  db.run(kRunsDrop, board.name);
}

void settle_flow(Connection& db, BoardNamed const& board, core::EventSeq last_seq) {
  auto to = settled(db);
  write(db, pending_flow(db, board, last_seq));
  to.seq = last_seq;
  set_settled(db, to);
}

bool catch_up_flow(Connection& db, BoardNamed const& board) {
  if (is_settled(db)) return false;
  FlowTotals totals;
  db.execute("BEGIN IMMEDIATE");
  try {
    auto to = settled(db);
    bool const more =
        catch_up_tasks(db, to, totals) || catch_up_runs(db, to) || catch_up_events(db, board, to, totals);
    if (more) write(db, totals);
    if (more) set_settled(db, to);
    db.execute("COMMIT");
    return more;
  } catch (...) {
    if (db.in_transaction()) db.execute("ROLLBACK");
    throw;
  }
}

void total_run(Connection& db, core::Run const& run, std::int64_t by) {
  if (!run.ended) return;
  auto const usage = run.usage.value_or(core::Usage{});
  bool const failed = run.outcome != core::Outcome::succeeded;
  db.run(kRunTotalAdd, run.board, quarter_of(*run.ended), run.worker, by, failed ? by : 0,
         by * std::max(*run.ended - run.started, core::Duration{0}).count(), by * usage.input,
         by * usage.output, by * usage.cache_read, by * usage.cache_write, by * usage.reasoning,
         static_cast<double>(by) * usage.cost_usd.value_or(0));
}

bool differ_in_totals(core::Run const& a, core::Run const& b) {
  auto const parts = [](core::Run const& run) {
    auto const usage = run.usage.value_or(core::Usage{});
    return std::tuple{run.ended,         run.board,       run.worker,    run.outcome,
                      run.started,       usage.input,     usage.output,  usage.cache_read,
                      usage.cache_write, usage.reasoning, usage.cost_usd};
  };
  return parts(a) != parts(b);
}

}  // namespace andon::store::sqlite
