#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include <boost/json/array.hpp>

#include "core/error.hpp"
#include "core/model/task.hpp"

namespace andon::cli {

/// The conditions for entries of the log; all must hold.
struct ActivityFilter {
  std::optional<core::Instant> since;
  std::string action;  ///< empty for all
  std::optional<core::TaskId> task;
  std::optional<std::size_t> last;  ///< so many of the last ones
};

/// The entries of kanban-md's `activity.jsonl`, with its keys in their order. Lines that are none are passed
/// over; a file that is not there has none.
core::Result<boost::json::array> read_activity(std::filesystem::path const& file,
                                               ActivityFilter const& filter);

}  // namespace andon::cli
