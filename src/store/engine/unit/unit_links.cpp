#include "core/tasks/pick.hpp"
#include "store/engine/driver.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::store::engine {

std::vector<core::TaskId> Unit::dependents(core::TaskId id) {
  return session_.links({.tasks = {id}, .dependents = true}).front().dependents;
}

std::vector<core::TaskId> Unit::children(core::TaskId id) {
  return session_.links({.tasks = {id}, .children = true}).front().children;
}

std::optional<core::Progress> Unit::progress(core::TaskId parent) {
  return session_.links({.tasks = {parent}, .progress = true}).front().progress;
}

int Unit::levels_below(core::TaskId id, int most) {
  return session_.links({.tasks = {id}, .levels = most}).front().levels;
}

std::optional<core::TaskId> Unit::open_review_of(core::TaskId id) {
  return session_.links({.tasks = {id}, .open_review = true}).front().open_review;
}

std::vector<core::TaskId> Unit::claims_of(std::string_view holder, core::Instant now) {
  refresh();
  signals_.interest.holders.emplace_back(holder);
  std::vector<core::TaskId> out;
  if (holder.empty()) return out;
  auto const rows =
      session_.tasks_in({.kind = TaskSet::Kind::claimed_by, .name = std::string{holder}, .at = now});
  for (auto const& row : rows) out.push_back(row.task.id);
  return out;
}

std::vector<core::Task> Unit::touching(BoardId board) {
  refresh();
  return named(session_.tasks_in({.kind = TaskSet::Kind::touching, .board = board}));
}

std::vector<core::Task> Unit::expired(core::Instant now, std::pair<core::Instant, core::TaskId> after,
                                      std::size_t limit) {
  refresh();
  return named(session_.tasks_in({.kind = TaskSet::Kind::expired, .at = now, .after = after, .most = limit}));
}

void Unit::settle_claim(core::TaskId id) {
  before_write();
  session_.write({.claims = {{.kind = ClaimsChange::Kind::settle, .task = id}}});
}

void Unit::unsettle_claims(core::Board const& before, core::Board const& board) {
  bool const is_strict_now = before.workflow != board.workflow && board.workflow == core::Workflow::strict;
  bool const is_reached_again = !before.trouble.empty() && board.trouble.empty();
  if (!is_strict_now && !is_reached_again) return;
  for (auto const& column : board.columns)
    if (core::is_in_work(column.stage))
      session_.write(
          {.claims = {
               {.kind = ClaimsChange::Kind::unsettle_column, .board = board.id, .name = column.name}}});
}

std::string Unit::rank_beside(core::Task const& neighbour, core::TaskId but, Side side) {
  refresh();
  auto const& board = board_named(neighbour);
  return session_
      .queues(AskRankBeside{board.id, neighbour.status, core::pick_key(board, neighbour), but, side})
      .rank;
}

}  // namespace andon::store::engine
