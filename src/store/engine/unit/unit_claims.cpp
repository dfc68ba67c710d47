#include "store/engine/driver.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::store::engine {

std::vector<core::Task> Unit::claims_after(core::Instant at, std::size_t limit) {
  refresh();
  return named(session_.tasks_in({.kind = TaskSet::Kind::claims_after, .at = at, .most = limit}));
}

void Unit::move_claims_after(core::Instant at, core::Duration by) {
  before_write();
  ClaimsChange change{.kind = ClaimsChange::Kind::move, .at = at, .by = by};
  for (auto const& [id, board] : board_cache_.boards())
    if (core::is_attached(*board)) change.in_files.push_back(id);
  session_.write({.claims = {std::move(change)}});
  reshape();
  tasks_.clear();
}

void Unit::extend_claims_after(core::Instant at, core::Instant until, std::optional<BoardId> board) {
  before_write();
  auto const kind = board ? ClaimsChange::Kind::extend_of_board : ClaimsChange::Kind::extend_runs;
  session_.write({.claims = {{.kind = kind, .at = at, .until = until, .board = board.value_or(0)}}});
  tasks_.clear();
}

std::vector<core::Task> Unit::retries_after(core::Instant at) {
  refresh();
  auto out = named(session_.tasks_in({.kind = TaskSet::Kind::retries_after, .at = at}));
  std::erase_if(out, [](core::Task const& task) {
    return !task.state.retry_at || task.state.retry_at != task.not_before;
  });
  return out;
}

}  // namespace andon::store::engine
