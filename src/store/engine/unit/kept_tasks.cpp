#include "store/engine/unit/kept_tasks.hpp"

#include <algorithm>
#include <utility>

namespace andon::store::engine {

std::size_t KeptTasks::index_of(core::TaskId id) const {
  return static_cast<std::size_t>(std::ranges::find(ids_, id) - ids_.begin());
}

core::Task const* KeptTasks::find(core::TaskId id) const {
  auto const at = index_of(id);
  return id == 0 || at == ids_.size() ? nullptr : &tasks_[at];
}

core::Task const& KeptTasks::keep(core::Task task) {
  auto at = index_of(task.id);
  if (at == ids_.size()) {
    at = next_;
    next_ = (next_ + 1) % ids_.size();
  }
  ids_[at] = task.id;
  tasks_[at] = core::as_stored(std::move(task));
  tasks_[at].body.clear();
  return tasks_[at];
}

void KeptTasks::update(core::Task const& task) {
  auto const at = index_of(task.id);
  if (at == ids_.size()) return;
  tasks_[at] = core::as_stored(task);
  tasks_[at].body.clear();
}

void KeptTasks::clear() { std::ranges::fill(ids_, core::TaskId{}); }

}  // namespace andon::store::engine
