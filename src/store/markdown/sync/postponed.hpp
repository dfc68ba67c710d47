#pragma once

#include <deque>
#include <string>

#include "store/markdown/sync/deletion_grace_period.hpp"

namespace andon::store::markdown {

/// The files of a watched board that a pass left for a later one.
struct Postponed {
  DeletionGracePeriod missing;     ///< may come back
  std::deque<std::string> unread;  ///< names of changed files, for the next pass
};

}  // namespace andon::store::markdown
