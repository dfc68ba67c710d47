#include "api/reading_threads.hpp"

#include <exception>

#include "os/processes/log.hpp"

namespace andon::api {

ReadingThreads::ReadingThreads(std::size_t count) {
  for (std::size_t n = 0; n < count; ++n) threads_.emplace_back([this] { serve(); });
}

ReadingThreads::~ReadingThreads() {
  {
    std::scoped_lock const lock(mutex_);
    closing_ = true;
  }
  arrived_.notify_all();
}

void ReadingThreads::run(std::string const& owner, ReadQueue::Job job) {
  {
    std::scoped_lock const lock(mutex_);
    queue_.push(owner, std::move(job));
  }
  arrived_.notify_one();
}

void ReadingThreads::serve() {
  for (;;) {
    std::unique_lock lock(mutex_);
    arrived_.wait(lock, [this] { return closing_ || !queue_.empty(); });
    if (queue_.empty()) return;
    auto job = queue_.take();
    lock.unlock();
    try {
      job();
    } catch (std::exception const& error) {
      os::log(os::Level::error, std::string{"a read ended without an answer: "} + error.what());
    }
  }
}

}  // namespace andon::api
