#pragma once

#include "store/engine/driver.hpp"

namespace andon::store::engine {

/// The flow that the stored totals do not include yet.
FlowTotals pending_flow(Session& session, BoardNamed const& board);
/// Adds all pending counts up to this event to the stored ones when at least `least` events or tasks wait.
void settle_counts(Session& session, BoardNamed const& board, core::EventSeq last, std::int64_t least);
/// The counts of one facet of a board with the pending ones, in the order of the values. Returns only the
/// first `most` values.
std::vector<Tally> read_tallies(Session& session, AskTallies const& question);

}  // namespace andon::store::engine
