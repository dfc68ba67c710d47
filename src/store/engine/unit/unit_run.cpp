#include <stdexcept>

#include "store/engine/driver.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::store::engine {
namespace {

/// True when the run needs nothing more: it has ended, and its work waits neither for a landing nor for a
/// person who says whether it lands.
bool is_over(core::Run const& run) {
  using enum core::LandingState;
  return run.state == core::RunState::ended &&
         !(run.landing && (run.landing->state == waiting || run.landing->state == asked));
}

}  // namespace

std::optional<core::Run> Unit::run(core::RunId id) {
  auto found = session_.runs({.kind = RunsQuery::Kind::by_id, .id = id});
  return found.empty() ? std::nullopt : std::optional{std::move(found.front())};
}

core::RunId Unit::add(core::Run run) {
  before_write();
  run.id = core::RunId{++numbers_->run};
  Writes writes{.runs = {{&run, true}}};
  count_run(run, 1, writes.counts.flow);
  session_.write(writes);
  return run.id;
}

void Unit::put(core::Run const& run) {
  before_write();
  auto const before = this->run(run.id);
  if (!before) throw std::logic_error{"an unknown run was put"};
  Writes writes{.runs = {{&run}}};
  if (differ_in_totals(*before, run)) {
    count_run(*before, -1, writes.counts.flow);
    count_run(run, 1, writes.counts.flow);
  }
  session_.write(writes);
  if (is_over(run) == is_over(*before)) return;
  if (auto const* task = kept(run.task)) signals_.changes.make_room(board_named(*task).id);
}

std::optional<core::RunGuard> Unit::guard(core::RunId run) {
  auto found = records({.kind = RecordsQuery::Kind::guard, .number = run}).guards;
  return found.empty() ? std::nullopt : std::optional{std::move(found.front().second)};
}

void Unit::put(core::RunId run, core::RunGuard const& guard) {
  before_write();
  session_.write({.records = {.guards = {{run, guard}}}});
}

std::vector<core::Run> Unit::runs_of(core::TaskId task) {
  return session_.runs({.kind = RunsQuery::Kind::of_task, .id = task});
}

std::vector<core::Run> Unit::live_runs() {
  signals_.interest.counted_runs = true;
  return session_.runs({.kind = RunsQuery::Kind::live});
}

std::vector<core::Run> Unit::recent_runs(std::size_t limit) {
  return session_.runs({.kind = RunsQuery::Kind::recent, .most = limit});
}

}  // namespace andon::store::engine
