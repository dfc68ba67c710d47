#include "os/processes/call_thread.hpp"

#include <cerrno>
#include <condition_variable>
#include <mutex>
#include <utility>

namespace andon::os {

/// The state that the caller shares with the thread, which may outlive the caller.
struct CallThread::Shared {
  std::mutex mutex;
  std::condition_variable given;
  std::function<void()> call;  ///< this and all members below are guarded by mutex
  bool is_running = false;
  bool is_given_up = false;  ///< the running call was given up; all others are refused
  bool is_closing = false;
  std::thread::id thread;

  void serve() {
    std::unique_lock lock{mutex};
    for (;;) {
      given.wait(lock, [this] { return is_closing || call; });
      if (!call) return;
      auto next = std::exchange(call, nullptr);
      is_running = true;
      lock.unlock();
      next();
      next = nullptr;  // also frees what the call owns
      lock.lock();
      is_running = is_given_up = false;
    }
  }
};

CallThread::CallThread(std::string about, std::chrono::milliseconds patience)
    : about_(std::move(about)), patience_(patience), shared_(std::make_shared<Shared>()) {
  std::thread thread{[shared = shared_] { shared->serve(); }};
  {
    std::scoped_lock const lock{shared_->mutex};
    shared_->thread = thread.get_id();
  }
  thread.detach();
}

CallThread::~CallThread() {
  std::scoped_lock const lock{shared_->mutex};
  shared_->is_closing = true;
  shared_->given.notify_one();
}

bool CallThread::is_stuck() const {
  std::scoped_lock const lock{shared_->mutex};
  return shared_->is_given_up;
}

bool CallThread::is_inside() const {
  std::scoped_lock const lock{shared_->mutex};
  return shared_->thread == std::this_thread::get_id();
}

void CallThread::give(std::function<void()> call) {
  std::scoped_lock const lock{shared_->mutex};
  if (shared_->is_given_up) refuse();
  shared_->call = std::move(call);
  shared_->given.notify_one();
}

void CallThread::give_up() const {
  std::scoped_lock const lock{shared_->mutex};
  shared_->is_given_up = shared_->is_running || shared_->call;
  refuse();
}

void CallThread::refuse() const {
  throw SystemError{"wait for", about_ + ", which does not answer", ETIMEDOUT};
}

}  // namespace andon::os
