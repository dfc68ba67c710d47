#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/id.hpp"
#include "core/time/time.hpp"
#include "store/contract/query.hpp"

namespace andon::store::engine {

/// The data that a parked unit of work depends on, recorded while it ran: where and when it looked for tasks,
/// whose claims it counted, which settings it read, and whether it counted live runs.
struct Interest {
  std::vector<PickScope> scopes;
  std::vector<std::string> holders;
  std::vector<std::string> settings;
  bool counted_runs = false;
  std::optional<core::Instant> looked_at;  ///< by the unit's own clock
  bool is_unfinished = false;              ///< there was more to look at than one run may

  /// True when the record covers all the unit depends on. A unit that looked for no task and counted no run
  /// may wait for anything.
  bool is_known() const { return !scopes.empty() || counted_runs; }
};

/// The changes of units of work that parked units may wait for.
class Changes {
 public:
  /// A task became pickable.
  void offer(core::TaskId task, core::BoardId board, std::string status, std::string queue_key);
  /// A task is no longer pickable.
  void withdraw(core::TaskId task);
  /// A WIP limit, a file or the landing of a run no longer holds tasks of the board back.
  void make_room(core::BoardId board);
  /// A holder lost a claim.
  void free_holder(std::string_view holder);
  void set(std::string_view setting);
  /// Boards or workers changed, so every parked unit may succeed now.
  void reshape();
  /// A change of another kind was written.
  void note() { any_ = true; }

  bool empty() const { return !any_; }
  void add(Changes&& more);
  bool concern(Interest const& interest) const;

 private:
  struct Offer {
    core::BoardId board;
    std::string status;
    std::string queue_key;
  };
  bool concern(PickScope const& scope) const;

  std::unordered_map<core::TaskId, Offer> offers_;
  std::vector<core::TaskId> withdrawn_;
  std::vector<core::BoardId> roomy_;
  std::vector<std::string> freed_;
  std::vector<std::string> settings_;
  bool reshaped_ = false;
  bool any_ = false;
};

}  // namespace andon::store::engine
