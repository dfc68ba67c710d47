#include "store/engine/driver.hpp"
#include "store/engine/search.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::store::engine {

/// Does not mark a reading unit on the writer's connection as writing: the indexed texts then belong to the
/// batch.
bool Unit::update_search_index() {
  if (turn_.may_write) before_write();
  batch_.has_written = true;
  return session_.index_texts(1);
}

void Unit::update_search_for_now() {
  set_mark();
  while (session_.index_texts(1)) continue;
}

SearchPage Unit::search(core::SearchQuery const& query, core::Instant now, std::size_t limit,
                        std::size_t skip, core::TaskId after) {
  refresh();
  if (query.words.empty() && query.conditions.empty()) return {};
  SearchRequest request{query, now, limit, skip, after, {}, turn_.search_may_lag};
  if (walks_tasks(query)) request.boards = loads_for({});
  auto found = session_.search(request);
  if (found.is_behind) {
    if (rights_ == Rights::read) throw SearchBehind{};
    while (update_search_index()) continue;
    request.may_lag = true;
    found = session_.search(request);
  }
  SearchPage page{{}, found.more, found.after, found.truncated};
  for (auto& [row, snippet] : found.rows) page.hits.push_back({named(std::move(row)), std::move(snippet)});
  return page;
}

}  // namespace andon::store::engine
