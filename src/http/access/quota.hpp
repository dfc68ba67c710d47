#pragma once

#include <chrono>
#include <deque>
#include <string>
#include <unordered_map>

namespace andon::http {

/// Counts what somebody did in the last minute. I/O thread only.
class Quota {
 public:
  using Time = std::chrono::steady_clock::time_point;

  explicit Quota(int most) : most_(static_cast<std::size_t>(most)) {}

  /// Whether so many more would be too many.
  bool is_used_up(std::string const& who, Time now, std::size_t times = 1) {
    forget(now);
    auto const found = times_.find(who);
    return (found == times_.end() ? 0 : found->second.size()) + times > most_;
  }
  void count(std::string const& who, Time now, std::size_t times = 1) {
    auto& list = times_[who];
    list.insert(list.end(), times, now);
  }

 private:
  void forget(Time now) {
    for (auto entry = times_.begin(); entry != times_.end();) {
      auto& list = entry->second;
      while (!list.empty() && now - list.front() >= std::chrono::minutes{1}) list.pop_front();
      entry = list.empty() ? times_.erase(entry) : std::next(entry);
    }
  }

  std::size_t const most_;
  std::unordered_map<std::string, std::deque<Time>> times_;
};

}  // namespace andon::http
