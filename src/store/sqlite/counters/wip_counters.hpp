#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/boards/wip.hpp"
#include "store/sqlite/database/connection.hpp"

namespace andon::store::sqlite {

/// Where a task counts: its column and, while unfinished, its class.
struct Place {
  core::BoardId board = 0;
  std::string column;
  std::string class_;  ///< empty when its class does not count it
  bool operator==(Place const&) const = default;
};
Place place_of(core::Board const& board, core::Task const& task);
/// Whether leaving the place can let somebody else in.
bool has_limit(core::Board const& board, Place const& place);

/// How full the boards are, as the writer knows it. Counts are kept in memory while a batch runs and written
/// once before its commit; a unit of work that is undone takes its counts back.
class WipCounters {
 public:
  core::Load const& of(Connection& db, core::BoardId board);
  void enter(Connection& db, Place const& place) { change(db, place, 1); }
  void leave(Connection& db, Place const& place) { change(db, place, -1); }
  /// Replaces the counts of a board after all of its tasks were counted anew.
  void recount(Connection& db, core::BoardId board, core::Load load);

  void start_unit() { journal_.clear(); }
  void undo_unit();
  /// Writes what changed since the last commit.
  void write(Connection& db);
  /// Forgets everything; the counts are read again from the database.
  void drop();

 private:
  struct Step {
    Place place;
    std::int64_t by = 0;
    std::optional<core::Load> before;  ///< of a recount
  };
  void change(Connection& db, Place const& place, std::int64_t by);
  void apply(core::Load& load, Place const& place, std::int64_t by);
  void replace(core::BoardId board, core::Load load);

  std::map<core::BoardId, core::Load> loads_;
  std::set<std::pair<core::BoardId, std::string>> columns_;  ///< changed since the last commit
  std::set<std::pair<core::BoardId, std::string>> classes_;
  std::vector<Step> journal_;
};

/// The counts of a board as the database has them.
core::Load read_load(Connection& db, core::BoardId board);

}  // namespace andon::store::sqlite
