#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>

#include "store/sqlite/transaction/transaction.hpp"

namespace andon::store::sqlite {
namespace {

Query const kAfter{"claims_after"};
Query const kClaimsMove{"claims_move"};
Query const kExtendRuns{"claims_extend_runs"};
Query const kExtendOfBoard{"claims_extend_of_board"};
Query const kRetries{"retries_after"};

}  // namespace

std::vector<core::Task> Transaction::claims_after(core::Instant at, std::size_t limit) {
  refresh();
  std::vector<core::Task> out;
  for (auto row = db_.query(kAfter, at, limit); row.step();) out.push_back(read(row));
  return out;
}

void Transaction::move_claims_after(core::Instant at, core::Duration by) {
  before_write();
  boost::json::array attached;
  for (auto const& [id, board] : board_cache_.boards())
    if (core::is_attached(*board)) attached.emplace_back(id);
  db_.run(kClaimsMove, at, std::int64_t{by.count()}, boost::json::serialize(attached));
  reshape();
  clear_slots();
}

void Transaction::extend_claims_after(core::Instant at, core::Instant until, std::optional<BoardId> board) {
  before_write();
  if (board)
    db_.run(kExtendOfBoard, at, until, *board);
  else
    db_.run(kExtendRuns, at, until);
  clear_slots();
}

std::vector<core::Task> Transaction::retries_after(core::Instant at) {
  refresh();
  std::vector<core::Task> out;
  for (auto row = db_.query(kRetries, at); row.step();) {
    auto task = read(row);
    if (task.state.retry_at && task.state.retry_at == task.not_before) out.push_back(std::move(task));
  }
  return out;
}

}  // namespace andon::store::sqlite
