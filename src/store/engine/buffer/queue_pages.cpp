#include "store/engine/buffer/queue_pages.hpp"

#include <algorithm>
#include <iterator>

namespace andon::store::engine {
namespace {

constexpr std::size_t kPageSize = 16;
constexpr std::size_t kMostPages = 256;
constexpr std::size_t kMostRows = 512;

core::PickKey key_of(TaskChange const& change) {
  auto const& derived = *change.derived;
  return {derived.class_rank, derived.pick_due, derived.priority_rank, change.task->rank, change.task->id};
}

/// True when the changed task is in the queue, or may be in it for its tags or class.
bool is_in(Queue const& queue, TaskChange const& change) {
  return change.derived->available == 1 && queue.board == change.board &&
         queue.column == change.task->status && queue.queue_key == change.derived->queue_key;
}

}  // namespace

bool QueuePages::can_keep(CandidatesQuery const& query) { return query.queue && query.most < kPageSize; }

CandidatesQuery QueuePages::to_read(CandidatesQuery query) {
  query.most = kPageSize;
  return query;
}

std::optional<std::vector<Candidate>> QueuePages::find(CandidatesQuery const& query) const {
  auto const found = pages_.find(*query.queue);
  if (found == pages_.end()) return std::nullopt;
  auto const& page = found->second;
  if (query.from < page.from || (page.end && query.from >= *page.end)) return std::nullopt;
  auto const first = std::ranges::lower_bound(page.rows, query.from, {}, &Candidate::key);
  auto const left = static_cast<std::size_t>(page.rows.end() - first);
  if (left < query.most && page.end) return std::nullopt;
  return std::vector<Candidate>(first, first + static_cast<std::ptrdiff_t>(std::min(left, query.most)));
}

void QueuePages::keep(CandidatesQuery const& query, std::vector<Candidate> rows) {
  std::size_t kept = rows.size();
  for (auto const& [queue, page] : pages_) kept += page.rows.size();
  if (pages_.size() >= kMostPages || kept > kMostRows) pages_.clear();
  std::optional<core::PickKey> end;
  if (rows.size() == query.most) end = next_key(rows.back().key);
  pages_.insert_or_assign(
      *query.queue,
      Page{query.from, std::move(end), {std::move_iterator{rows.begin()}, std::move_iterator{rows.end()}}});
}

/// A task that comes between those of a page ends the page: its row is not known here.
void QueuePages::follow(TaskChange const& change) {
  auto const key = key_of(change);
  for (auto& [queue, page] : pages_) {
    auto const has_id = [&](Candidate const& one) { return one.key.id == change.task->id; };
    if (auto const row = std::ranges::find_if(page.rows, has_id); row != page.rows.end())
      page.rows.erase(row);
  }
  std::erase_if(pages_, [&](auto const& entry) {
    auto const& [queue, page] = entry;
    return is_in(queue, change) && key >= page.from && (!page.end || key < *page.end);
  });
}

}  // namespace andon::store::engine
