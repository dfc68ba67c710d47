#pragma once

#include <map>
#include <string>

#include "core/tasks/pick.hpp"
#include "core/time/time.hpp"
#include "store/engine/queue.hpp"

namespace andon::store::engine {

/// Remembers up to which task each queue holds only tasks whose files another task holds. A pick begins
/// behind these tasks. So all pickers together walk a queue of held tasks once, instead of each picker on
/// each pick. The writer keeps this in memory only; lost entries are found again.
class HeldQueues {
 public:
  /// The key from which a pick has to look at the queue.
  core::PickKey from(Queue const& queue, core::Instant now) const;
  /// All tasks of the queue up to the key `last` are held, at least until `until`.
  void extend(Queue const& queue, core::PickKey last, core::Instant until);
  /// A task came into the column and lane, or was changed there.
  void enter(core::BoardId board, std::string const& column, std::string const& queue_key,
             core::PickKey const& key);
  /// Files of the board were given back, so its entries are no longer valid.
  void free(core::BoardId board);
  void clear() { held_.clear(); }

 private:
  struct Held {
    core::PickKey next;  ///< the first task that was not looked at
    core::Instant until;
  };
  std::map<Queue, Held> held_;
};

}  // namespace andon::store::engine
