#include "store/sqlite/pick_merge.hpp"

#include <algorithm>

namespace andon::store::sqlite {
namespace {

Query const kProbe{"pick_probe"};
Query const kProbeClass{"pick_probe_class"};
Query const kProbeOthers{"pick_probe_others"};

Query const& probe(Part part) {
  switch (part) {
    case Part::first_class: return kProbeClass;
    case Part::other_classes: return kProbeOthers;
    case Part::all: break;
  }
  return kProbe;
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
  sources_.reserve(scope.columns.size() * scope.lanes.size());
  for (auto const& column : scope.columns)
    for (auto const& lane : scope.lanes) {
      sources_.push_back({db.query(probe(part_), scope.board, column, lane, class_rank_), {}});
      advance(sources_.back());
      if (!sources_.back().live) sources_.pop_back();
    }
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
