#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <thread>
#include <vector>

#include "api/read_queue.hpp"

namespace andon::api {

/// A few threads that run jobs of one kind. Thread-safe.
class ReadingThreads {
 public:
  explicit ReadingThreads(std::size_t count);
  ~ReadingThreads();
  ReadingThreads(ReadingThreads const&) = delete;
  ReadingThreads& operator=(ReadingThreads const&) = delete;

  void run(std::string const& owner, ReadQueue::Job job) { offer(owner, std::move(job)); }
  /// Runs the job like `run`. Returns false where no thread takes it: there is none, or none any more.
  bool offer(std::string const& owner, ReadQueue::Job job);
  /// Ends the threads after the jobs that wait.
  void end();

 private:
  void serve();

  std::mutex mutex_;
  std::condition_variable arrived_;
  ReadQueue queue_;       ///< guarded by mutex_
  bool closing_ = false;  ///< guarded by mutex_
  std::size_t serving_;   ///< threads that take jobs; guarded by mutex_
  std::vector<std::jthread> threads_;
};

}  // namespace andon::api
