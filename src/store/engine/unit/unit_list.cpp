#include "store/engine/driver.hpp"
#include "store/engine/external_source.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::store::engine {

std::vector<BoardLoad> Unit::loads_for(TaskFilter const& filter) {
  std::vector<BoardLoad> out;
  for (auto const& [id, board] : board_cache_.boards())
    if (!filter.board || *filter.board == id)
      out.push_back({board.get(), rights_ == Rights::write ? loads_.of(session_, id)
                                                           : session_.statistics(AskLoad{id}).load});
  return out;
}

core::Result<TaskPage> Unit::list(TaskFilter const& filter, Page const& page) {
  if (page.cursor.empty()) refresh();
  ListRows found;
  ANDON_TRY(found, session_.list({filter, page, loads_for(filter)}));
  TaskPage out{{}, std::move(found.next)};
  for (auto& row : found.rows) {
    auto& task = out.tasks.emplace_back(named(std::move(row)));
    if (places_ && page.with_files)
      task.file = places_->seen_file_of(session_.files(), board_named(task), task.id);
  }
  return out;
}

std::int64_t Unit::count(TaskFilter const& filter) {
  refresh();
  return session_.statistics(AskCount{filter}).count;
}

std::vector<std::string> Unit::assignees() {
  refresh();
  return session_.statistics(AskAssignees{}).assignees;
}

}  // namespace andon::store::engine
