#include <algorithm>

#include "store/sqlite/search_words.hpp"
#include "store/sqlite/transaction.hpp"

namespace andon::store::sqlite {
namespace {

Query const kFind{"search_find"};
Query const kTaskOfEvent{"event_task"};

/// A text of the index belongs to a task, or to a note under minus its seq.
core::TaskId owner_of(Connection& db, std::int64_t document) {
  if (document > 0) return document;
  auto row = db.query(kTaskOfEvent, -document);
  return row.step() ? row.integer(0) : 0;
}

bool has(std::vector<SearchHit> const& hits, core::TaskId id) {
  return std::ranges::any_of(hits, [&](SearchHit const& hit) { return hit.task.id == id; });
}

}  // namespace

std::vector<SearchHit> Transaction::search(std::string_view text, std::optional<BoardId> board,
                                           std::size_t limit) {
  auto const expression = search_expression(text);
  if (expression.empty()) return {};
  if (search_.is_waiting()) {
    if (may_write_) before_write();
    search_.write(db_);
  }
  std::vector<SearchHit> hits, archived;
  for (auto row = db_.query(kFind, expression); hits.size() < limit && row.step();) {
    auto const* task = kept(owner_of(db_, row.integer(0)));
    if (!task || (board && board_named(*task).id != *board)) continue;
    auto& list = task->stage == core::Stage::archived ? archived : hits;
    if (list.size() < limit && !has(list, task->id)) list.push_back({*task, row.text(1)});
  }
  return hits.empty() ? archived : hits;
}

}  // namespace andon::store::sqlite
