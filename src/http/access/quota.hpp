#pragma once

#include <algorithm>
#include <chrono>
#include <deque>
#include <string>
#include <unordered_map>

namespace andon::http {

/// Counts the actions of each client in the last minute. Keeps at most as many times per client as the quota.
/// I/O thread only.
class Quota {
 public:
  using Time = std::chrono::steady_clock::time_point;

  explicit Quota(int most) : most_(static_cast<std::size_t>(most)) {}

  /// Whether `times` more actions would exceed the quota.
  bool is_used_up(std::string const& who, Time now, std::size_t times = 1) {
    auto const found = times_.find(who);
    if (found == times_.end()) return times > most_;
    drop_old(found->second, now);
    return found->second.size() + times > most_;
  }
  void count(std::string const& who, Time now, std::size_t times = 1) {
    forget(now);
    if (times_.size() >= kMostCounted && !times_.contains(who)) times_.clear();
    auto& list = times_[who];
    list.insert(list.end(), std::min(times, most_), now);
    while (list.size() > most_) list.pop_front();
  }

 private:
  /// Beyond so many nobody is told from another any more, and all begin anew.
  static constexpr std::size_t kMostCounted = 10'000;

  static void drop_old(std::deque<Time>& list, Time now) {
    while (!list.empty() && now - list.front() >= std::chrono::minutes{1}) list.pop_front();
  }
  /// Removes old entries. Does so at most once a second, because it visits all clients.
  void forget(Time now) {
    if (now < next_look_) return;
    next_look_ = now + std::chrono::seconds{1};
    for (auto entry = times_.begin(); entry != times_.end();) {
      drop_old(entry->second, now);
      entry = entry->second.empty() ? times_.erase(entry) : std::next(entry);
    }
  }

  std::size_t const most_;
  Time next_look_{};
  std::unordered_map<std::string, std::deque<Time>> times_;
};

}  // namespace andon::http
