#pragma once

#include <map>
#include <string>
#include <tuple>

#include "core/tasks/pick.hpp"
#include "core/time/time.hpp"

namespace andon::store::sqlite {

/// Which part of a scope a pass over it offers.
enum class Part { all, first_class, other_classes };

/// One index cursor of a pick: the pickable tasks of a column and lane, of one tag or class where that is
/// asked.
struct Queue {
  core::BoardId board = 0;
  std::string column;
  std::string queue_key;
  std::string tag{};
  Part part = Part::all;
  int class_rank = 0;
  auto operator<=>(Queue const&) const = default;
};

/// How far queues begin with tasks whose files somebody holds. A pick begins behind them, so that a queue
/// full of such tasks is walked once for all pickers and not by each of them each time. Kept in memory by the
/// writer: what is forgotten is found out again.
class HeldQueues {
 public:
  /// From where the queue has to be looked at.
  core::PickKey from(Queue const& queue, core::Instant now) const;
  /// Everything up to the task with that key is held, at least until `until`.
  void extend(Queue const& queue, core::PickKey last, core::Instant until);
  /// A task came into the column and lane, or changed there.
  void enter(core::BoardId board, std::string const& column, std::string const& queue_key,
             core::PickKey const& key);
  /// Somebody gave files back.
  void free(core::BoardId board);
  void clear() { held_.clear(); }

 private:
  struct Held {
    core::PickKey next;  ///< the first that was not looked at
    core::Instant until;
  };
  std::map<Queue, Held> held_;
};

}  // namespace andon::store::sqlite
