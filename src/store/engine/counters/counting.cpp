// Flow totals are derived from the history and from the tasks, but not when these are written. So a change of
// a task writes no page of a total. Two marks show what is still to be counted: the number of the last
// counted event, and the list of changed tasks, which the session keeps. The writer counts
// when a few hundred changes wait, in the batch that adds the last of them. A reader adds the uncounted
// changes to the stored totals.
#include "store/engine/counters/counting.hpp"

namespace andon::store::engine {
namespace {

FlowTotals flow_of(Uncounted const& uncounted, BoardNamed const& board) {
  FlowTotals out;
  count_moves(uncounted.moves, board, out);
  for (auto const& [before, now] : uncounted.finished) {
    if (before) count_finished(*before, -1, out);
    if (now) count_finished(*now, 1, out);
  }
  return out;
}

TallyMap tallies_of(Uncounted const& uncounted) {
  TallyMap out;
  for (auto const& [before, now] : uncounted.tallied) {
    if (before) tally_task(*before, -1, out);
    if (now) tally_task(*now, 1, out);
  }
  return out;
}

void add(Statistics& counted, TallyKey const& key, TallyCounts const& change, std::int64_t today) {
  if (counted.tallies_end && key.value >= *counted.tallies_end) return;
  auto& tally = counted.tallies[{key.value, key.status}];
  if (tally.status.empty()) tally = {key.status, text_of(key.value), 0, 0, 0};
  tally.count += change.n;
  tally.blocked += change.blocked;
  for (auto const& [day, n] : change.due)
    if (day < today) tally.overdue += n;
}

}  // namespace

FlowTotals pending_flow(Session& session, BoardNamed const& board) {
  return flow_of(session.uncounted({.parts = Counting::flow}), board);
}

void settle_counts(Session& session, BoardNamed const& board, core::EventSeq last, std::int64_t least) {
  auto const uncounted = session.uncounted({Counting::all, last, least});
  if (uncounted.is_enough)
    session.write({.counts = {flow_of(uncounted, board), tallies_of(uncounted), last}});
}

std::vector<Tally> read_tallies(Session& session, AskTallies const& question) {
  auto counted = session.statistics(question);
  auto const pending = tallies_of(session.uncounted({.parts = Counting::tallies}));
  for (auto const& [key, change] : pending)
    if (key.board == question.board && key.facet == question.facet) add(counted, key, change, question.today);
  std::vector<Tally> out;
  for (auto& [key, tally] : counted.tallies)
    if (tally.count != 0) out.push_back(std::move(tally));
  return out;
}

}  // namespace andon::store::engine
