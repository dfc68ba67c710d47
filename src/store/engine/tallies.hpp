#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/id.hpp"
#include "core/model/stage.hpp"
#include "store/contract/query.hpp"

namespace andon::store::engine {

/// The number of a parent task, or the text of any other facet.
using TallyValue = std::variant<std::int64_t, std::string>;

/// The counts of tasks with one value of a facet in one column, or changes of such counts, which may be
/// negative.
struct TallyCounts {
  std::int64_t n = 0;
  std::int64_t blocked = 0;
  std::map<std::int64_t, std::int64_t> due;  ///< unfinished tasks by due day
};
struct TallyKey {
  core::BoardId board = 0;
  Facet facet{};
  TallyValue value;
  std::string status;
  auto operator<=>(TallyKey const&) const = default;
};
using TallyMap = std::map<TallyKey, TallyCounts>;

/// A task as the tallies count it.
struct TalliedTask {
  core::BoardId board = 0;
  std::string status;
  core::Stage stage{};
  bool blocked = false;
  std::optional<std::int64_t> due{};  ///< the day
  std::string priority{}, class_{}, assignee{}, role{};
  std::int64_t parent = 0;  ///< 0 for none, so that none is first in order
  std::vector<std::string> tags{};
};

/// Adds the task `by` times, under each of its values.
void tally_task(TalliedTask const& task, std::int64_t by, TallyMap& out);

/// The text of a value; empty for none.
std::string text_of(TallyValue const& value);

}  // namespace andon::store::engine
