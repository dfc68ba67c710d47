#include "os/data/awaited_lock.hpp"

#include <condition_variable>
#include <mutex>
#include <thread>

#include "os/system_error.hpp"

namespace andon::os {

/// One wait for the lock. Shared with the waiting thread, which may outlive the `AwaitedLock`.
struct AwaitedLock::Turn {
  std::mutex mutex;
  std::condition_variable came;
  std::optional<FileLock> lock;
  bool is_over = false;
  bool is_given_up = false;

  void queue(std::filesystem::path const& path) {
    std::optional<FileLock> taken;
    try {
      taken = FileLock::take_unsigned(path);
    } catch (SystemError const&) {
      taken.reset();  // the next attempt reports the error
    }
    std::scoped_lock const held{mutex};
    if (!is_given_up) lock = std::move(taken);
    is_over = true;
    came.notify_all();
  }
};

std::optional<FileLock> AwaitedLock::take(std::chrono::milliseconds patience) {
  if (auto lock = FileLock::try_take_unsigned(path_)) {
    turn_.reset();
    return lock;
  }
  if (turn_) {
    std::scoped_lock const held{turn_->mutex};
    if (!turn_->is_over) return std::nullopt;
  }
  turn_ = std::make_shared<Turn>();
  std::thread{[turn = turn_, path = path_] { turn->queue(path); }}.detach();
  std::unique_lock held{turn_->mutex};
  turn_->came.wait_for(held, patience, [&] { return turn_->is_over; });
  turn_->is_given_up = !turn_->is_over;
  if (turn_->is_given_up) return std::nullopt;
  auto lock = std::move(turn_->lock);
  held.unlock();
  turn_.reset();
  return lock;
}

}  // namespace andon::os
