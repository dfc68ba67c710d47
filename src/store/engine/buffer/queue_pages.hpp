#pragma once

#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "store/engine/queries.hpp"
#include "store/engine/writes.hpp"

namespace andon::store::engine {

/// The beginnings of queues as they were read, kept right by the changes of tasks. Most picks take the first
/// task of a queue, so that one read serves many of them.
class QueuePages {
 public:
  /// True for the first read of a pick, of which a page is kept.
  static bool can_keep(CandidatesQuery const& query);
  /// The query that reads a page: it asks for more than the pick does.
  static CandidatesQuery to_read(CandidatesQuery query);
  /// The answer to the query about a queue, when a page has all of it.
  std::optional<std::vector<Candidate>> find(CandidatesQuery const& query) const;
  /// Keeps the answer to a query of `to_read`.
  void keep(CandidatesQuery const& query, std::vector<Candidate> rows);
  /// Follows a change of a task.
  void follow(TaskChange const& change);
  void clear() { pages_.clear(); }

 private:
  struct Page {
    core::PickKey from;
    std::optional<core::PickKey> end;  ///< the first key that is not on it; nothing at the end of the queue
    std::deque<Candidate> rows;        ///< picks take the first ones away
  };
  std::map<Queue, Page> pages_;
};

}  // namespace andon::store::engine
