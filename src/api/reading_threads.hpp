#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <thread>
#include <vector>

#include "api/read_queue.hpp"

namespace andon::api {

/// A few threads that run jobs of one kind. Jobs that wait when it ends are run before. Thread-safe.
class ReadingThreads {
 public:
  explicit ReadingThreads(std::size_t count);
  ~ReadingThreads();
  ReadingThreads(ReadingThreads const&) = delete;
  ReadingThreads& operator=(ReadingThreads const&) = delete;

  void run(std::string const& owner, ReadQueue::Job job);

 private:
  void serve();

  std::mutex mutex_;
  std::condition_variable arrived_;
  ReadQueue queue_;       ///< guarded by mutex_
  bool closing_ = false;  ///< guarded by mutex_
  std::vector<std::jthread> threads_;
};

}  // namespace andon::api
