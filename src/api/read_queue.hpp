#pragma once

#include <deque>
#include <functional>
#include <string>
#include <unordered_map>

namespace andon::api {

/// Jobs that wait for a reading thread. Their owners take turns, so that many jobs of one owner delay the
/// others by one job at most. Not thread-safe.
class ReadQueue {
 public:
  using Job = std::move_only_function<void()>;

  void push(std::string const& owner, Job job) {
    auto& jobs = waiting_[owner];
    if (jobs.empty()) turns_.push_back(owner);
    jobs.push_back(std::move(job));
  }
  bool empty() const { return turns_.empty(); }
  /// The first job of the owner who has waited longest for a turn; there must be one.
  Job take() {
    auto owner = std::move(turns_.front());
    turns_.pop_front();
    auto const found = waiting_.find(owner);
    auto job = std::move(found->second.front());
    found->second.pop_front();
    if (found->second.empty())
      waiting_.erase(found);
    else
      turns_.push_back(std::move(owner));
    return job;
  }

 private:
  std::unordered_map<std::string, std::deque<Job>> waiting_;
  std::deque<std::string> turns_;  ///< owners with jobs, each once
};

}  // namespace andon::api
