#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "store/contract/query.hpp"
#include "store/engine/flow_totals.hpp"
#include "store/engine/tallies.hpp"

namespace andon::store::engine {

/// A task that changed since it was counted. Nothing stands for a task that did not count or does not count
/// any more.
template <class Task>
struct Recount {
  std::optional<Task> before{}, now{};
};

enum class Counting { all, flow, tallies };
struct UncountedRequest {
  Counting parts = Counting::all;
  core::EventSeq until{std::numeric_limits<std::int64_t>::max()};  ///< the last event to count
  std::int64_t least = 0;
};
/// The moves after the last counted event, and the tasks that changed since they were counted. Only the parts
/// that were asked for are filled.
struct Uncounted {
  bool is_enough = true;  ///< at least `least` events or tasks wait; otherwise nothing was read
  UncountedMoves moves{};
  std::vector<Recount<FinishedTask>> finished{};
  std::vector<Recount<TalliedTask>> tallied{};
};

/// Changes of the stored counts.
struct CountChanges {
  FlowTotals flow{};
  TallyMap tallies{};
  /// Marks the events up to this one, and all changed tasks, as counted.
  std::optional<core::EventSeq> counted_until{};
};

}  // namespace andon::store::engine
