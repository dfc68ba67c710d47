#include "store/sqlite/transaction/transaction.hpp"

namespace andon::store::sqlite {

std::vector<engine::BoardLoad> Transaction::loads_for(TaskFilter const& filter) {
  std::vector<engine::BoardLoad> out;
  for (auto const& [id, board] : board_cache_.boards())
    if (!filter.board || *filter.board == id)
      out.push_back({board.get(), rights_ == Rights::write ? loads_.of(session_, id) : session_.load(id)});
  return out;
}

core::Result<TaskPage> Transaction::list(TaskFilter const& filter, Page const& page) {
  if (page.cursor.empty()) refresh();
  engine::ListRows found;
  ANDON_TRY(found, session_.list({filter, page, loads_for(filter)}));
  TaskPage out{{}, std::move(found.next)};
  for (auto& row : found.rows) {
    auto& task = out.tasks.emplace_back(named(std::move(row)));
    if (places_ && page.with_files)
      task.file = places_->seen_file_of(session_.files(), board_named(task), task.id);
  }
  return out;
}

std::int64_t Transaction::count(TaskFilter const& filter) {
  refresh();
  return session_.statistics(engine::AskCount{filter}).count;
}

std::vector<std::string> Transaction::assignees() {
  refresh();
  return session_.statistics(engine::AskAssignees{}).assignees;
}

}  // namespace andon::store::sqlite
