#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "core/time/time.hpp"

namespace andon::store::markdown {

/// Remembers since when files are missing. Editors and git remove a file before they put it back, and a
/// server may look in between. If it removed the task at once, the data that only the server keeps would be
/// lost.
class DeletionGracePeriod {
 public:
  /// Whether the file has been missing for so long that it counts as deleted.
  bool is_over(std::string const& name, core::Instant now) {
    auto const [since, is_new] = since_.emplace(name, now);
    return !is_new && now - since->second >= kLongest;
  }
  /// Forgets all files except `names`: the others are back or were removed.
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
