#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/model/board.hpp"
#include "core/model/run.hpp"
#include "store/contract/query.hpp"
#include "store/sqlite/database/connection.hpp"

namespace andon::store::sqlite {

struct MoveKey {
  core::BoardId board = 0;
  core::Instant at{};
  std::string kind, from, to, worker;
  auto operator<=>(MoveKey const&) const = default;
};
struct FinishedKey {
  core::BoardId board = 0;
  core::Instant at{};
  std::string class_, worker;
  auto operator<=>(FinishedKey const&) const = default;
};
struct FinishedSum {
  std::int64_t n = 0, lead = 0, cycles = 0, cycle = 0, lead_of_cycles = 0;
  bool operator==(FinishedSum const&) const = default;
};
struct SpreadKey {
  core::BoardId board = 0;
  std::int64_t day = 0;
  bool is_cycle = false;
  int bucket = 0;
  auto operator<=>(SpreadKey const&) const = default;
};

/// Flow totals, or changes of them.
struct FlowTotals {
  std::map<MoveKey, std::int64_t> moves;
  std::map<FinishedKey, FinishedSum> finished;
  std::map<SpreadKey, std::int64_t> spreads;
};

using BoardNamed = std::function<core::Board const*(std::string_view name)>;

/// The totals of events and changed tasks that the tables do not include yet.
FlowTotals pending_flow(Connection& db, BoardNamed const& board, core::EventSeq last_seq);
/// Whether at least `most` events are not counted yet.
bool has_pending_flow(Connection& db, core::EventSeq last_seq, std::int64_t most);
/// Adds the totals of `pending_flow` to the tables.
void settle_flow(Connection& db, BoardNamed const& board, core::EventSeq last_seq);
/// Removes the totals of a removed board. The caller has settled the flow before.
void drop_totals(Connection& db, core::Board const& board);
/// Counts the rows of a database that has no totals yet, one commit per call. True when there is more to do.
bool catch_up_flow(Connection& db, BoardNamed const& board);

/// Adds an ended run to the totals `by` times; a run that has not ended does not count.
void total_run(Connection& db, core::Run const& run, std::int64_t by);
bool differ_in_totals(core::Run const& a, core::Run const& b);

/// The quarter of an hour that holds the time.
core::Instant quarter_of(core::Instant at);
/// The bucket of a time: 16 buckets for each power of two of seconds. Times in one bucket differ by at most
/// about 6 per cent.
int bucket_of(core::Duration time);
core::Duration time_of_bucket(int bucket);

}  // namespace andon::store::sqlite
