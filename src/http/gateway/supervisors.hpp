#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace andon::http {

/// The processes that supervise runs, as the server says. A run's does not change once it has begun.
class Supervisors {
 public:
  std::optional<std::string> of(std::string const& run) {
    std::scoped_lock const lock(mutex_);
    auto const found = known_.find(run);
    return found == known_.end() ? std::nullopt : std::optional{found->second};
  }
  void note(std::string const& run, std::string const& process) {
    std::scoped_lock const lock(mutex_);
    if (known_.size() >= kMostKnown) known_.clear();
    known_[run] = process;
  }

 private:
  static constexpr std::size_t kMostKnown = 10'000;

  std::mutex mutex_;
  std::map<std::string, std::string> known_;  ///< guarded by mutex_
};

}  // namespace andon::http
