#include "store/engine/unit/kept_tasks.hpp"

#include <algorithm>
#include <utility>

namespace andon::store::engine {
namespace {

void strip(core::Task& task) {
  core::strip_told(task);
  task.body.clear();
}

}  // namespace

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
  tasks_[at] = std::move(task);
  strip(tasks_[at]);
  return tasks_[at];
}

void KeptTasks::update(core::Task const& task) {
  auto const at = index_of(task.id);
  if (at == ids_.size()) return;
  tasks_[at] = task;
  strip(tasks_[at]);
}

void KeptTasks::clear() { std::ranges::fill(ids_, core::TaskId{}); }

}  // namespace andon::store::engine
