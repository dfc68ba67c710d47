#include "core/tasks/pick.hpp"
#include "store/sqlite/transaction/transaction.hpp"

namespace andon::store::sqlite {
namespace {

Query const kDependents{"dependents"};
Query const kChildren{"children"};
Query const kClaims{"claims_of"};
Query const kTouching{"touching"};
Query const kExpiredClaims{"expired"};
Query const kSettle{"claim_settle"};
Query const kUnsettleIn{"claims_unsettle_in"};
Query const kRankAfter{"rank_after"};
Query const kRankBefore{"rank_before"};

template <class... Arguments>
std::vector<core::TaskId> ids(Connection& db, Query const& query, Arguments const&... arguments) {
  std::vector<core::TaskId> out;
  for (auto row = db.query(query, arguments...); row.step();) out.emplace_back(row.integer(0));
  return out;
}

}  // namespace

std::vector<core::TaskId> Transaction::dependents(core::TaskId id) { return ids(db_, kDependents, id); }
std::vector<core::TaskId> Transaction::children(core::TaskId id) { return ids(db_, kChildren, id); }

std::vector<core::TaskId> Transaction::claims_of(std::string_view holder, core::Instant now) {
  refresh();
  interest_.holders.emplace_back(holder);
  return ids(db_, kClaims, holder, now);
}

std::vector<core::Task> Transaction::touching(BoardId board) {
  refresh();
  std::vector<core::Task> out;
  for (auto row = db_.query(kTouching, board); row.step();) out.push_back(read(row));
  return out;
}

std::vector<core::Task> Transaction::expired(core::Instant now, std::pair<core::Instant, core::TaskId> after,
                                             std::size_t limit) {
  refresh();
  std::vector<core::Task> out;
  for (auto row = db_.query(kExpiredClaims, now, after.first, after.second, limit); row.step();)
    out.push_back(read(row));
  return out;
}

void Transaction::settle_claim(core::TaskId id) {
  before_write();
  db_.run(kSettle, id);
}

void Transaction::unsettle_claims(core::Board const& before, core::Board const& board) {
  bool const is_strict_now = before.workflow != board.workflow && board.workflow == core::Workflow::strict;
  bool const is_reached_again = !before.trouble.empty() && board.trouble.empty();
  if (!is_strict_now && !is_reached_again) return;
  for (auto const& column : board.columns)
    if (core::is_in_work(column.stage)) db_.run(kUnsettleIn, board.id, column.name);
}

std::string Transaction::rank_beside(core::Task const& neighbour, core::TaskId but, Side side) {
  refresh();
  auto const& board = board_named(neighbour);
  auto const key = core::pick_key(board, neighbour);
  auto row = db_.query(side == Side::after ? kRankAfter : kRankBefore, board.id, neighbour.status,
                       key.class_rank, key.due, key.priority_rank, but, neighbour.rank);
  return row.step() ? row.text(0) : std::string{};
}

}  // namespace andon::store::sqlite
