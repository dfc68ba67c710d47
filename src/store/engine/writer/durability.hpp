#pragma once

#include <cstdint>
#include <exception>

#include "os/processes/mutex.hpp"
#include "store/engine/driver.hpp"

namespace andon::store::engine {

/// The commits that have begun and those that are on the disk. Commits are numbered from 1. Thread-safe;
/// commits begin and are cancelled on the writer's thread only.
class Durability {
 public:
  /// The end of an attempt to bring a commit to the disk.
  struct Reached {
    std::exception_ptr trouble{};  ///< null when the commit is on the disk
    bool ends_writing = false;     ///< this attempt was the first to fail for good
  };

  /// The driver must outlive this.
  explicit Durability(Driver& driver) : driver_(driver) {}

  /// Call before a commit: from now on readers that may see the commit wait for it.
  void begin_commit();
  /// Call when a commit failed; no reader can have seen it.
  void cancel_commit();
  /// The last commit that has begun; 0 for none.
  std::int64_t begun();
  bool is_durable(std::int64_t commit);
  /// Waits for the disk on this thread, unless the commit is there. The first call comes on the writer's
  /// thread.
  Reached reach(std::int64_t commit);
  /// True when `reach` was called before.
  bool was_asked();
  /// Waits until every commit that has begun is durable; rethrows the failure of its sync.
  void await();
  /// The reason why nothing may be written any more; null while the disk works.
  std::exception_ptr trouble();

 private:
  Reached settle(std::int64_t commit, std::exception_ptr const& trouble);

  Driver& driver_;
  os::Mutex mutex_;
  os::Condition settled_;
  std::int64_t begun_ GUARDED_BY(mutex_) = 0;
  std::int64_t durable_ GUARDED_BY(mutex_) = 0;  ///< or settled as unknown
  int losses_ GUARDED_BY(mutex_) = 0;            ///< of syncs after which writing went on
  std::exception_ptr last_loss_ GUARDED_BY(mutex_);
  std::exception_ptr trouble_ GUARDED_BY(mutex_);
  bool was_asked_ GUARDED_BY(mutex_) = false;
};

}  // namespace andon::store::engine
