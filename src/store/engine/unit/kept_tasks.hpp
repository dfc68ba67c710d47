#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "core/model/task.hpp"

namespace andon::store::engine {

/// The tasks that a unit read or wrote last, as they are stored, without their bodies. A kept task is found
/// without a read. When there is no room, the one that was kept first goes.
class KeptTasks {
 public:
  explicit KeptTasks(std::size_t most) : ids_(most), tasks_(most) {}
  /// Null when the task is not kept. The pointer is valid until the task is changed or goes.
  core::Task const* find(core::TaskId id) const;
  core::Task const& keep(core::Task task);
  /// Replaces the task, if it is kept.
  void update(core::Task const& task);
  void clear();

 private:
  std::size_t index_of(core::TaskId id) const;

  std::vector<core::TaskId> ids_;  ///< of the tasks at the same places; 0 where there is none
  std::vector<core::Task> tasks_;
  std::size_t next_ = 0;
};

}  // namespace andon::store::engine
