#pragma once

#include <condition_variable>
#include <mutex>

#include "os/processes/clock.hpp"
#include "os/processes/thread_annotations.hpp"

namespace andon::os {

/// A std::mutex whose use clang checks.
class CAPABILITY("mutex") Mutex {
 public:
  void lock() ACQUIRE() { mutex_.lock(); }
  void unlock() RELEASE() { mutex_.unlock(); }

 private:
  friend class Condition;
  std::mutex mutex_;
};

/// Holds a mutex while it lives, except between `unlock` and `lock`.
class SCOPED_CAPABILITY MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) ACQUIRE(mutex) : mutex_(mutex) { mutex_.lock(); }
  ~MutexLock() RELEASE() {
    if (is_held_) mutex_.unlock();
  }
  MutexLock(MutexLock const&) = delete;
  MutexLock& operator=(MutexLock const&) = delete;

  void lock() ACQUIRE() {
    mutex_.lock();
    is_held_ = true;
  }
  void unlock() RELEASE() {
    is_held_ = false;
    mutex_.unlock();
  }

 private:
  Mutex& mutex_;
  bool is_held_ = true;
};

/// A std::condition_variable for a `Mutex`. Waits may end without a reason, so callers wait in a loop.
class Condition {
 public:
  void wait(Mutex& mutex) REQUIRES(mutex) {
    std::unique_lock lock{mutex.mutex_, std::adopt_lock};
    condition_.wait(lock);
    lock.release();
  }
  void wait_until(Mutex& mutex, SteadyClock::time_point end) REQUIRES(mutex) {
    std::unique_lock lock{mutex.mutex_, std::adopt_lock};
    condition_.wait_until(lock, end);
    lock.release();
  }
  void notify_one() noexcept { condition_.notify_one(); }
  void notify_all() noexcept { condition_.notify_all(); }

 private:
  std::condition_variable condition_;
};

}  // namespace andon::os
