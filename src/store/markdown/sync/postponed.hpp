#pragma once

#include <deque>
#include <string>

#include "store/markdown/sync/deletion_grace_period.hpp"

namespace andon::store::markdown {

/// How many changed files one catch-up reads: all of them, or a limited number.
enum class Pass { whole, brief };

/// The files of a watched board that a pass left for a later one.
struct Postponed {
  DeletionGracePeriod missing;     ///< may come back
  std::deque<std::string> unread;  ///< names of changed files, for the next pass
};

}  // namespace andon::store::markdown
