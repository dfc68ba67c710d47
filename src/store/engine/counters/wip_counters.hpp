#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/boards/load.hpp"
#include "core/id.hpp"

namespace andon::core {
struct Board;
struct Task;
}  // namespace andon::core

namespace andon::store::engine {

struct LoadChange;
class Session;

/// The counters that a task belongs to: its column and, while it is unfinished, its class.
struct Place {
  core::BoardId board = 0;
  std::string column;
  std::string class_;  ///< empty when no class counts the task
  bool operator==(Place const&) const = default;
};
Place place_of(core::Board const& board, core::Task const& task);
/// True when a WIP limit applies to the place, so that leaving it can make room for another task.
bool has_limit(core::Board const& board, Place const& place);

/// The number of tasks per column and class of each board, kept by the writer. Counts stay in memory while a
/// batch runs and are written once at its end, or with a unit that runs alone. Undoing a unit of work
/// restores its counts.
class WipCounters {
 public:
  core::Load const& of(Session& session, core::BoardId board);
  void enter(Session& session, Place const& place) { change(session, place, 1); }
  void leave(Session& session, Place const& place) { change(session, place, -1); }
  /// Replaces the counts of a board after all of its tasks were counted again.
  void recount(Session& session, core::BoardId board, core::Load load);

  void start_unit() { journal_.clear(); }
  void undo_unit();
  /// The counts that changed since the last call.
  std::vector<LoadChange> take_changed();
  /// Drops all counts; they are read again from the database.
  void drop();

 private:
  struct Step {
    Place place;
    std::int64_t by = 0;
    std::optional<core::Load> before;  ///< the former counts, for a recount
  };
  struct Changed {
    std::set<std::pair<core::BoardId, std::string>> columns;
    std::set<std::pair<core::BoardId, std::string>> classes;
  };
  void change(Session& session, Place const& place, std::int64_t by);
  void apply(core::Load& load, Place const& place, std::int64_t by);
  void replace(core::BoardId board, core::Load load);

  std::map<core::BoardId, core::Load> loads_;
  Changed changed_;         ///< since they were taken
  Changed changed_before_;  ///< the same when the unit first changed a count
  std::vector<Step> journal_;
};

}  // namespace andon::store::engine
