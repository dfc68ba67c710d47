#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>

#include "api/local_executor.hpp"

namespace andon::http {

/// Counts the reads of each credential that run or wait, so that one credential cannot exhaust shared
/// capacity. I/O thread only.
class ReadsInFlight {
 public:
  /// Slow reads also count in `all`.
  struct Most {
    std::size_t all = 0;
    std::size_t slow = 0;
  };

  explicit ReadsInFlight(Most most) : most_(most) {}

  /// False when the credential has reached its limit.
  bool enter(std::string const& credential, api::Reading reading) {
    auto& of = under_way_[credential];
    bool const is_slow = reading == api::Reading::slow;
    bool const has_room = of.all < most_.all && (!is_slow || of.slow < most_.slow);
    if (has_room) {
      ++of.all;
      if (is_slow) ++of.slow;
    }
    if (of.all == 0) under_way_.erase(credential);
    return has_room;
  }
  /// A read that entered has been answered.
  void leave(std::string const& credential, api::Reading reading) {
    auto const found = under_way_.find(credential);
    if (found == under_way_.end()) return;
    auto& of = found->second;
    if (reading == api::Reading::slow) --of.slow;
    if (--of.all == 0) under_way_.erase(found);
  }
  std::size_t count() const {
    std::size_t sum = 0;
    for (auto const& [credential, of] : under_way_) sum += of.all;
    return sum;
  }

 private:
  Most const most_;
  std::unordered_map<std::string, Most> under_way_;
};

}  // namespace andon::http
