#pragma once

#include <functional>
#include <mutex>
#include <utility>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

namespace andon::http {

/// Brings work of other threads onto the I/O thread. Jobs that come together wake it once. After `close` they
/// are dropped, so that an answer may come later than the end of the server. Thread-safe.
class Mailbox : public std::enable_shared_from_this<Mailbox> {
 public:
  using Job = std::move_only_function<void()>;

  explicit Mailbox(boost::asio::io_context& io) : io_(&io) {}

  void post(Job job) {
    std::scoped_lock const lock(mutex_);
    if (!io_) return;
    jobs_.push_back(std::move(job));
    if (jobs_.size() == 1) boost::asio::post(*io_, [self = shared_from_this()] { self->deliver(); });
  }

  void close() {
    std::vector<Job> dropped;
    std::scoped_lock const lock(mutex_);
    io_ = nullptr;
    dropped.swap(jobs_);
  }

 private:
  void deliver() {
    std::vector<Job> jobs;
    {
      std::scoped_lock const lock(mutex_);
      jobs.swap(jobs_);
    }
    for (auto& job : jobs) job();
  }

  std::mutex mutex_;
  boost::asio::io_context* io_;
  std::vector<Job> jobs_;
};

}  // namespace andon::http
