#pragma once

#include <set>
#include <string>
#include <utility>

#include "os/processes/mutex.hpp"
#include "store/markdown/index/publication.hpp"

namespace andon::store::markdown {

/// Reports the warnings of a board, each text once. Thread-safe.
class Warnings {
 public:
  explicit Warnings(OnWarning tell) : tell_(std::move(tell)) {}
  void tell(std::string const& text);

 private:
  os::Mutex mutex_;
  std::set<std::string> warned_ GUARDED_BY(mutex_);
  OnWarning tell_;
};

}  // namespace andon::store::markdown
