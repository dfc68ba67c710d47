#include "store/engine/unit/pick_merge.hpp"

#include <algorithm>

#include "store/engine/driver.hpp"

namespace andon::store::engine {
namespace {

/// Most picks take the first task of a queue.
constexpr std::size_t kFirstPage = 2;
constexpr std::size_t kLargestPage = 128;
constexpr std::size_t kGrowth = 8;

}  // namespace

PickMerge::PickMerge(Session& session, PickScope const& scope, std::vector<Candidate> due, Part part,
                     int class_rank, HeldQueues& held, core::Instant now)
    : session_(session), part_(part), class_rank_(class_rank), held_(held), now_(now), due_(std::move(due)) {
  if (part_ != Part::all)
    std::erase_if(due_, [&](auto const& one) {
      return (one.key.class_rank == class_rank_) != (part_ == Part::first_class);
    });
  std::ranges::sort(due_, std::greater{}, &Candidate::key);
  sources_.reserve(scope.columns.size() * scope.queue_keys.size() *
                   std::max(scope.tags.size(), std::size_t{1}));
  for (auto const& column : scope.columns)
    for (auto const& queue_key : scope.queue_keys) {
      if (scope.tags.empty()) open({scope.board, column, queue_key, {}, part_, class_rank_});
      for (auto const& tag : scope.tags) open({scope.board, column, queue_key, tag, part_, class_rank_});
    }
}

void PickMerge::open(Queue queue) {
  auto const from = held_.from(queue, now_);
  auto& source = sources_.emplace_back(std::move(queue));
  source.most = kFirstPage;
  read_page(source, from);
  if (!source.is_live()) sources_.pop_back();
}

void PickMerge::read_page(Source& source, core::PickKey from) {
  source.page = session_.candidates({.queue = source.queue, .from = std::move(from), .most = source.most});
  source.at = 0;
}

void PickMerge::advance(Source& source) {
  bool const may_have_more = source.page.size() == source.most;
  if (++source.at < source.page.size() || !may_have_more) return;
  source.most = std::min(source.most * kGrowth, kLargestPage);
  read_page(source, next_key(source.page.back().key));
}

std::optional<TaskRow> PickMerge::next() {
  settle_offered();
  auto row = smallest();
  // A task is in the queue of each of its tags, but at the same place in the order: it is offered once.
  while (row && !offered_.empty() && std::ranges::any_of(sources_, [&](auto& source) {
           return source.is_live() && source.head().key.id == row->task.id;
         }))
    row = smallest();
  return row;
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

std::optional<TaskRow> PickMerge::smallest() {
  Source* best = nullptr;
  for (auto& source : sources_)
    if (source.is_live() && (!best || source.head().key < best->head().key)) best = &source;
  if (!due_.empty() && (!best || due_.back().key < best->head().key)) {
    auto row = std::move(due_.back().row);
    due_.pop_back();
    return row;
  }
  if (!best) return std::nullopt;
  auto row = std::move(best->head().row);
  offered_.push_back({best, best->head().key});
  advance(*best);
  return row;
}

}  // namespace andon::store::engine
