#include <stdexcept>

#include "store/sqlite/counters/flow_totals.hpp"
#include "store/sqlite/rows/document.hpp"
#include "store/sqlite/transaction/transaction.hpp"

namespace andon::store::sqlite {
namespace {

Query const kRunById{"run_by_id"};
Query const kRunAdd{"run_add"};
Query const kRunPut{"run_put"};
Query const kGuard{"run_guard"};
Query const kPutGuard{"run_guard_put"};
Query const kRunsOfTask{"runs_of_task"};
Query const kLive{"runs_live"};
Query const kRecent{"runs_recent"};

std::string_view state_of(core::Run const& run) {
  return core::kRunStateNames[static_cast<std::size_t>(run.state)];
}

/// Whether the run needs nothing more: it has ended, and its work does not wait for a landing.
bool is_over(core::Run const& run) {
  return run.state == core::RunState::ended &&
         !(run.landing && run.landing->state == core::LandingState::waiting);
}

template <class... Arguments>
std::vector<core::Run> runs(Connection& db, Query const& query, Arguments const&... arguments) {
  std::vector<core::Run> out;
  for (auto row = db.query(query, arguments...); row.step();) out.push_back(run_in(row.view(0)));
  return out;
}

}  // namespace

std::optional<core::Run> Transaction::run(core::RunId id) {
  auto row = db_.query(kRunById, id);
  if (!row.step()) return std::nullopt;
  return run_in(row.view(0));
}

core::RunId Transaction::add(core::Run run) {
  before_write();
  run.id = core::RunId{++numbers_->run};
  db_.run(kRunAdd, run.id, run.task, state_of(run), document_of(run), run.ended);
  total_run(db_, run, 1);
  return run.id;
}

void Transaction::put(core::Run const& run) {
  before_write();
  auto const before = this->run(run.id);
  if (!before) throw std::logic_error{"an unknown run was put"};
  db_.run(kRunPut, run.id, run.task, state_of(run), document_of(run), run.ended);
  if (differ_in_totals(*before, run)) {
    total_run(db_, *before, -1);
    total_run(db_, run, 1);
  }
  if (is_over(run) == is_over(*before)) return;
  if (auto const* task = kept(run.task)) changes_.make_room(board_named(*task).id);
}

std::optional<core::RunGuard> Transaction::guard(core::RunId run) {
  auto row = db_.query(kGuard, run);
  if (!row.step()) return std::nullopt;
  return guard_in(row.view(0));
}

void Transaction::put(core::RunId run, core::RunGuard const& guard) {
  before_write();
  db_.run(kPutGuard, run, document_of(guard));
}

std::vector<core::Run> Transaction::runs_of(core::TaskId task) { return runs(db_, kRunsOfTask, task); }
std::vector<core::Run> Transaction::live_runs() {
  interest_.counted_runs = true;
  return runs(db_, kLive);
}
std::vector<core::Run> Transaction::recent_runs(std::size_t limit) { return runs(db_, kRecent, limit); }

}  // namespace andon::store::sqlite
