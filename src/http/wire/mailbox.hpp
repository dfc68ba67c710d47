#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

namespace andon::http {

/// Passes jobs from other threads to the I/O thread. Jobs that arrive together wake it once. Between two jobs
/// the thread serves its sockets, so a client that was answered can send again while other jobs wait. After
/// `close`, jobs are dropped, since an answer may come after the server's end. Thread-safe.
class Mailbox : public std::enable_shared_from_this<Mailbox> {
 public:
  using Job = std::move_only_function<void()>;

  explicit Mailbox(boost::asio::io_context& io) : io_(&io) {}

  void post(Job job) {
    std::scoped_lock const lock(mutex_);
    if (!io_) return;
    jobs_.push_back(std::move(job));
    if (jobs_.size() == 1) wake();
  }

  void close() {
    std::deque<Job> dropped;
    std::scoped_lock const lock(mutex_);
    io_ = nullptr;
    dropped.swap(jobs_);
  }

 private:
  void wake() {
    boost::asio::post(*io_, [self = shared_from_this()] { self->deliver(); });
  }

  void deliver() {
    Job job;
    {
      std::scoped_lock const lock(mutex_);
      if (jobs_.empty()) return;
      job = std::move(jobs_.front());
      jobs_.pop_front();
      if (!jobs_.empty()) wake();
    }
    job();
  }

  std::mutex mutex_;
  boost::asio::io_context* io_;
  std::deque<Job> jobs_;
};

}  // namespace andon::http
