#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/id.hpp"
#include "core/time/time.hpp"
#include "store/contract/query.hpp"

namespace andon::core {
struct Board;
struct Run;
}  // namespace andon::core

namespace andon::store::engine {

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

struct RunKey {
  std::string board;
  core::Instant at{};
  std::string worker;
  auto operator<=>(RunKey const&) const = default;
};

/// Adds the runs of a worker to its other ones.
RunTotal& operator+=(RunTotal& total, RunTotal const& more);

/// Flow totals, or changes of them.
struct FlowTotals {
  std::map<MoveKey, std::int64_t> moves;
  std::map<FinishedKey, FinishedSum> finished;
  std::map<SpreadKey, std::int64_t> spreads;
  std::map<RunKey, RunTotal> runs;
};

/// An event that brought a task into a column, as the totals count it.
struct UncountedMove {
  core::Instant at{};
  std::string kind, board, from, to;
  std::string worker;  ///< of the run of the event, else the present assignee of the task
  std::string data;
};
/// Moves in the order of their numbers.
struct UncountedMoves {
  std::vector<UncountedMove> moves{};
  /// When columns of each board among the moves were changed, in order, from the quarter of an hour of its
  /// first move on.
  std::map<std::string, std::vector<core::Instant>, std::less<>> column_changes{};
};
/// A task that was not archived unfinished, as the totals count it.
struct FinishedTask {
  core::BoardId board = 0;
  core::Instant created{};
  std::optional<core::Instant> started{};
  core::Instant completed{};
  std::string class_{};
  std::string worker{};  ///< of the last run, else the assignee
};

using BoardNamed = std::function<core::Board const*(std::string_view name)>;

/// Adds the moves by quarters of an hour. A quarter in which a column changed its meaning is split at that
/// change. Moves on unknown boards do not count.
void count_moves(UncountedMoves const& from, BoardNamed const& board, FlowTotals& out);
/// Adds the task `by` times.
void count_finished(FinishedTask const& task, std::int64_t by, FlowTotals& out);
/// Adds an ended run `by` times; a run that has not ended does not count.
void count_run(core::Run const& run, std::int64_t by, FlowTotals& out);
bool differ_in_totals(core::Run const& a, core::Run const& b);

/// The quarter of an hour that holds the time.
core::Instant quarter_of(core::Instant at);
/// The bucket of a time: 16 buckets for each power of two of seconds. Times in one bucket differ by at most
/// about 6 per cent.
int bucket_of(core::Duration time);
core::Duration time_of_bucket(int bucket);

}  // namespace andon::store::engine
