#include "store/sqlite/pick_merge.hpp"

#include <algorithm>

namespace andon::store::sqlite {
namespace {

/// How a queue is walked: of a column and lane, and of one tag in it.
struct Probe {
  Query all;
  Query of_tag;
};
Probe const kAll{Query{"pick_probe"}, Query{"pick_probe_tag"}};
Probe const kFirstClass{Query{"pick_probe_class"}, Query{"pick_probe_tag_class"}};
Probe const kOtherClasses{Query{"pick_probe_others"}, Query{"pick_probe_tag_others"}};

Probe const& probe(Part part) {
  switch (part) {
    case Part::first_class: return kFirstClass;
    case Part::other_classes: return kOtherClasses;
    case Part::all: break;
  }
  return kAll;
}

}  // namespace

PickMerge::PickMerge(Connection& db, PickScope const& scope, std::vector<core::PickKey> due, Part part,
                     int class_rank)
    : part_(part), class_rank_(class_rank), due_(std::move(due)) {
  if (part_ != Part::all)
    std::erase_if(due_, [&](auto const& key) {
      return (key.class_rank == class_rank_) != (part_ == Part::first_class);
    });
  std::ranges::sort(due_, std::greater{});
  sources_.reserve(scope.columns.size() * scope.lanes.size() * std::max(scope.tags.size(), std::size_t{1}));
  for (auto const& column : scope.columns)
    for (auto const& lane : scope.lanes) open(db, scope, column, lane);
}

void PickMerge::open(Connection& db, PickScope const& scope, std::string const& column,
                     std::string const& lane) {
  auto const add = [&](Statement cursor) {
    sources_.push_back({std::move(cursor), {}});
    advance(sources_.back());
    if (!sources_.back().live) sources_.pop_back();
  };
  if (scope.tags.empty()) add(db.query(probe(part_).all, scope.board, column, lane, class_rank_));
  for (auto const& tag : scope.tags)
    add(db.query(probe(part_).of_tag, scope.board, column, lane, class_rank_, tag));
}

void PickMerge::advance(Source& source) {
  source.live = source.cursor.step();
  if (!source.live) return;
  auto const& row = source.cursor;
  source.head.class_rank = static_cast<int>(row.integer(0));
  source.head.due = static_cast<int>(row.integer(1));
  source.head.priority_rank = static_cast<int>(row.integer(2));
  source.head.rank.assign(row.view(3));
  source.head.id = row.integer(4);
}

std::optional<core::TaskId> PickMerge::next() {
  auto id = smallest();
  while (id && *id == last_) id = smallest();
  last_ = id.value_or(0);
  return id;
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
  advance(*best);
  return id;
}

}  // namespace andon::store::sqlite
