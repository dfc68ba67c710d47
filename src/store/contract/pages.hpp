#pragma once

#include <string>
#include <vector>

#include "core/id.hpp"
#include "core/model/task.hpp"

namespace andon::store {

struct TaskPage {
  std::vector<core::Task> tasks;  ///< without bodies
  std::string next;               ///< cursor of the next page; empty at the end
};

struct SearchHit {
  core::Task task;
  std::string snippet;  ///< the part of the text with the words; empty for a query without words
};

/// One page of hits. A search with words continues after a number of hits; a search without words continues
/// after a task.
struct SearchPage {
  std::vector<SearchHit> hits;
  bool more = false;       ///< whether there is a next page; the next page of a search without words may be
                           ///< empty
  core::TaskId after = 0;  ///< the last task of this page, for a search without words
  bool truncated = false;  ///< some hits may be on no page, because too many texts have the words
};

}  // namespace andon::store
