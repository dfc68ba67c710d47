#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "core/id.hpp"
#include "core/model/event.hpp"
#include "core/time/time.hpp"

namespace andon::core {
struct Board;
}

namespace andon::store::engine {

/// An event with its number, and what a session keeps beside it.
struct AppendedEvent {
  core::Event event;
  std::string note{};         ///< the text of a note, for search; empty when there is none
  bool is_abandoned = false;  ///< the event archives its task unfinished
};

/// The events after `after` up to `until` that happened before `before`, except the very last event, notes,
/// changes of columns, and those of `kept`.
struct DropEvents {
  core::EventSeq after = 0;
  core::EventSeq until = 0;
  core::Instant before{};
  std::vector<core::EventSeq> kept{};
};
/// Runs that ended before the time, except the last run of each task.
struct DropRuns {
  core::Instant before{};
  std::size_t most = 0;
};
/// Tokens that were revoked or expired before the time.
struct DropTokens {
  core::Instant before{};
  std::size_t most = 0;
};
/// Answers to retried requests from before the time.
struct DropRemembered {
  core::Instant before{};
  std::size_t most = 0;
};
/// All totals and tallies of a board.
struct DropCounts {
  core::Board const& board;
};
using Removal = std::variant<DropEvents, DropRuns, DropTokens, DropRemembered, DropCounts>;

struct Removed {
  std::int64_t rows = 0;                 ///< runs, tokens or answers
  std::vector<core::EventSeq> events{};  ///< in no order
};

}  // namespace andon::store::engine
