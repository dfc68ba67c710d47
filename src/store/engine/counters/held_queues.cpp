#include "store/engine/counters/held_queues.hpp"

#include <algorithm>
#include <limits>

namespace andon::store::engine {
namespace {

constexpr int kFirst = std::numeric_limits<int>::min();

}  // namespace

core::PickKey HeldQueues::from(Queue const& queue, core::Instant now) const {
  auto const found = held_.find(queue);
  return found != held_.end() && now < found->second.until ? found->second.next : first_key();
}

void HeldQueues::extend(Queue const& queue, core::PickKey last, core::Instant until) {
  held_.insert_or_assign(queue, Held{next_key(std::move(last)), until});
}

void HeldQueues::enter(core::BoardId board, std::string const& column, std::string const& queue_key,
                       core::PickKey const& key) {
  for (auto held = held_.lower_bound({board, column, queue_key, {}, Part::all, kFirst}); held != held_.end();
       ++held) {
    auto const& queue = held->first;
    if (queue.board != board || queue.column != column || queue.queue_key != queue_key) return;
    held->second.next = std::min(held->second.next, key);
  }
}

void HeldQueues::free(core::BoardId board) {
  std::erase_if(held_, [board](auto const& entry) { return entry.first.board == board; });
}

}  // namespace andon::store::engine
