#include <stdexcept>

#include "store/sqlite/rows/document.hpp"
#include "store/sqlite/transaction/transaction.hpp"

namespace andon::store::sqlite {
namespace {

using engine::RunsQuery;

/// Whether the run needs nothing more: it has ended, and its work does not wait for a landing.
bool is_over(core::Run const& run) {
  return run.state == core::RunState::ended &&
         !(run.landing && run.landing->state == core::LandingState::waiting);
}

}  // namespace

std::optional<core::Run> Transaction::run(core::RunId id) {
  auto found = session_.runs({.kind = RunsQuery::Kind::by_id, .id = id});
  return found.empty() ? std::nullopt : std::optional{std::move(found.front())};
}

core::RunId Transaction::add(core::Run run) {
  before_write();
  run.id = core::RunId{++numbers_->run};
  engine::Writes writes{.runs = {{&run, true}}};
  engine::count_run(run, 1, writes.counts.flow);
  session_.write(writes);
  return run.id;
}

void Transaction::put(core::Run const& run) {
  before_write();
  auto const before = this->run(run.id);
  if (!before) throw std::logic_error{"an unknown run was put"};
  engine::Writes writes{.runs = {{&run}}};
  if (engine::differ_in_totals(*before, run)) {
    engine::count_run(*before, -1, writes.counts.flow);
    engine::count_run(run, 1, writes.counts.flow);
  }
  session_.write(writes);
  if (is_over(run) == is_over(*before)) return;
  if (auto const* task = kept(run.task)) changes_.make_room(board_named(*task).id);
}

std::optional<core::RunGuard> Transaction::guard(core::RunId run) {
  auto found = records({.kind = engine::RecordsQuery::Kind::guard, .number = run}).guards;
  return found.empty() ? std::nullopt : std::optional{std::move(found.front().second)};
}

void Transaction::put(core::RunId run, core::RunGuard const& guard) {
  before_write();
  session_.write({.records = {.guards = {{run, guard}}}});
}

std::vector<core::Run> Transaction::runs_of(core::TaskId task) {
  return session_.runs({.kind = RunsQuery::Kind::of_task, .id = task});
}

std::vector<core::Run> Transaction::live_runs() {
  interest_.counted_runs = true;
  return session_.runs({.kind = RunsQuery::Kind::live});
}

std::vector<core::Run> Transaction::recent_runs(std::size_t limit) {
  return session_.runs({.kind = RunsQuery::Kind::recent, .most = limit});
}

}  // namespace andon::store::sqlite
