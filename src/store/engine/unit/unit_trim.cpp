#include <map>

#include "store/engine/driver.hpp"
#include "store/engine/history.hpp"
#include "store/engine/unit/unit.hpp"

// Removal of data after its retention, in slices whose size the caller bounds.
namespace andon::store::engine {

std::int64_t Unit::remove_tokens_ended_before(core::Instant at, std::size_t most) {
  before_write();
  session_.write({.numbers = numbers_});
  return session_.remove(DropTokens{at, most}).rows;
}

std::int64_t Unit::forget_before(core::Instant at, std::size_t most) {
  before_write();
  return session_.remove(DropRemembered{at, most}).rows;
}

std::int64_t Unit::remove_runs_ended_before(core::Instant at, std::size_t most) {
  before_write();
  settle_counts_now();  // totals name the workers of runs
  session_.write({.numbers = numbers_});
  return session_.remove(DropRuns{at, most}).rows;
}

/// The moves from which the time in active work of recently finished and of unfinished tasks follows.
std::vector<core::EventSeq> Unit::traced_events(core::EventSeq after, core::EventSeq until) {
  std::map<BoardId, core::Instant> firsts;  // the completion of the first traced task of each board
  auto const first = [&](BoardId board) {
    auto const [at, is_new] = firsts.try_emplace(board);
    if (!is_new) return at->second;
    auto const last = finished_last(board, {}, kMostTraced);
    if (last.size() == kMostTraced) at->second = last.back().completed;
    return at->second;
  };
  auto const moves = session_.statistics(AskTraced{after, until}).traced;
  std::vector<core::EventSeq> out;
  for (auto const& move : moves)
    if (!move.completed || *move.completed >= first(move.board)) out.push_back(move.seq);
  return out;
}

std::vector<core::EventSeq> Unit::remove_events(core::EventSeq after, core::EventSeq until,
                                                core::Instant before) {
  before_write();
  settle_counts_now();  // totals follow from the events
  return session_.remove(DropEvents{after, until, before, traced_events(after, until)}).events;
}

}  // namespace andon::store::engine
