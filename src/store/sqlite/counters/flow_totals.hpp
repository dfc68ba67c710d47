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

/// Totals of flow, or differences of them.
struct FlowTotals {
  std::map<MoveKey, std::int64_t> moves;
  std::map<FinishedKey, FinishedSum> finished;
  std::map<SpreadKey, std::int64_t> spreads;
};

using BoardNamed = std::function<core::Board const*(std::string_view name)>;

/// What the history and the changed tasks have that the tables do not have yet.
FlowTotals pending_flow(Connection& db, BoardNamed const& board, std::int64_t last_seq);
/// Whether so many events wait.
bool has_pending_flow(Connection& db, std::int64_t last_seq, std::int64_t most);
/// Writes it.
void settle_flow(Connection& db, BoardNamed const& board, std::int64_t last_seq);
/// Forgets a board that is gone; what waits was written before.
void drop_totals(Connection& db, core::Board const& board);
/// Brings a database of before up to date, step by step, each a commit. True when there is more to do.
bool catch_up_flow(Connection& db, BoardNamed const& board);

/// Counts a run `by` times, when it has ended.
void total_run(Connection& db, core::Run const& run, std::int64_t by);
bool differ_in_totals(core::Run const& a, core::Run const& b);

/// The quarter of an hour that holds the time.
core::Instant quarter_of(core::Instant at);
/// Times in a bucket differ by less than 5 per cent: 16 buckets for each power of two of seconds.
int bucket_of(core::Duration time);
core::Duration time_of_bucket(int bucket);

}  // namespace andon::store::sqlite
