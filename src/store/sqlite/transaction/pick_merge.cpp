#include "store/sqlite/transaction/pick_merge.hpp"

#include <algorithm>

namespace andon::store::sqlite {
namespace {

/// The statements for a queue: one for a whole column and lane, one for a single tag in it.
struct Probe {
  Query all;
  Query of_tag;
};
Probe const kProbeAll{Query{"pick_probe"}, Query{"pick_probe_tag"}};
Probe const kFirstClass{Query{"pick_probe_class"}, Query{"pick_probe_tag_class"}};
Probe const kOtherClasses{Query{"pick_probe_others"}, Query{"pick_probe_tag_others"}};

Probe const& probe(Part part) {
  switch (part) {
    case Part::first_class: return kFirstClass;
    case Part::other_classes: return kOtherClasses;
    case Part::all: break;
  }
  return kProbeAll;
}

}  // namespace

PickMerge::PickMerge(Connection& db, PickScope const& scope, std::vector<core::PickKey> due, Part part,
                     int class_rank, HeldQueues& held, core::Instant now)
    : part_(part), class_rank_(class_rank), held_(held), now_(now), due_(std::move(due)) {
  if (part_ != Part::all)
    std::erase_if(due_, [&](auto const& key) {
      return (key.class_rank == class_rank_) != (part_ == Part::first_class);
    });
  std::ranges::sort(due_, std::greater{});
  sources_.reserve(scope.columns.size() * scope.queue_keys.size() *
                   std::max(scope.tags.size(), std::size_t{1}));
  for (auto const& column : scope.columns)
    for (auto const& queue_key : scope.queue_keys) {
      if (scope.tags.empty()) open(db, {scope.board, column, queue_key, {}, part_, class_rank_});
      for (auto const& tag : scope.tags) open(db, {scope.board, column, queue_key, tag, part_, class_rank_});
    }
}

void PickMerge::open(Connection& db, Queue queue) {
  auto const& query = queue.tag.empty() ? probe(part_).all : probe(part_).of_tag;
  auto from = held_.from(queue, now_);
  auto cursor = db.query(query, queue.board, std::string{queue.column}, std::string{queue.queue_key},
                         class_rank_, std::string{queue.tag}, from.class_rank, from.due, from.priority_rank,
                         std::move(from.rank), from.id);
  sources_.push_back({std::move(cursor), std::move(queue), {}});
  advance(sources_.back());
  if (!sources_.back().live) sources_.pop_back();
}

void PickMerge::advance(Source& source) {
  source.live = source.cursor.step();
  if (!source.live) return;
  auto const& row = source.cursor;
  source.head.class_rank = static_cast<int>(row.integer(0));
  source.head.due = static_cast<int>(row.integer(1));
  source.head.priority_rank = static_cast<int>(row.integer(2));
  source.head.rank.assign(row.view(3));
  source.head.id = core::TaskId{row.integer(4)};
}

std::optional<core::TaskId> PickMerge::next() {
  settle_offered();
  auto id = smallest();
  // A task is in the queue of each of its tags, but at the same place in the order: it is offered once.
  while (id && !offered_.empty() && std::ranges::any_of(sources_, [&](auto const& source) {
           return source.live && source.head.id == *id;
         }))
    id = smallest();
  return id;
}

void PickMerge::hold_last(core::Instant until) {
  for (auto& one : offered_) {
    one.is_held = true;
    if (one.source->is_all_held) held_.extend(one.source->queue, one.key, until);
  }
}

/// Settles the answers to the last task. A task that was passed over for another reason than its files ends
/// the held beginning of its queue.
void PickMerge::settle_offered() {
  for (auto const& one : offered_)
    if (!one.is_held) one.source->is_all_held = false;
  offered_.clear();
}

std::optional<core::TaskId> PickMerge::smallest() {
  Source* best = nullptr;
  for (auto& source : sources_)
    if (source.live && (!best || source.head < best->head)) best = &source;
  if (!due_.empty() && (!best || due_.back() < best->head)) {
    auto const id = due_.back().id;
    due_.pop_back();
    return id;
  }
  if (!best) return std::nullopt;
  auto const id = best->head.id;
  offered_.push_back({best, best->head});
  advance(*best);
  return id;
}

}  // namespace andon::store::sqlite
