#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "core/time/time.hpp"

namespace andon::store::markdown {

/// Files that are not where they were. Editors and git take a file away before they put it back, and a server
/// looks in between: what it knows of the task beside the file would be lost.
class DeletionGracePeriod {
 public:
  /// Whether a file that is missed now is gone for good.
  bool is_over(std::string const& name, core::Instant now) {
    auto const [since, is_new] = since_.emplace(name, now);
    return !is_new && now - since->second >= kLongest;
  }
  /// All others are back, or were let go.
  void keep_only(std::vector<std::string> const& names) {
    std::erase_if(since_,
                  [&](auto const& entry) { return std::ranges::find(names, entry.first) == names.end(); });
  }
  bool empty() const { return since_.empty(); }
  static constexpr core::Duration longest() { return kLongest; }

 private:
  static constexpr core::Duration kLongest = std::chrono::seconds{2};
  std::map<std::string, core::Instant> since_;
};

}  // namespace andon::store::markdown
