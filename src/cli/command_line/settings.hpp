#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <boost/json/object.hpp>

#include "core/error.hpp"
#include "core/model/board.hpp"

namespace andon::cli {

/// The output of `config`: a board, the number of its next task, and the folder of its tasks.
struct Settings {
  core::Board board;
  std::int64_t next_id = 0;
  std::string tasks_dir = "tasks";
};

/// One setting under kanban-md's name.
struct Setting {
  std::string_view key;
  boost::json::value (*get)(Settings const&);
  /// The change of the board (a request of `edit_board`) that makes the setting `value`; null when it cannot
  /// be changed this way.
  core::Result<boost::json::object> (*change)(Settings const&, std::string const& value);
};

/// All of them, in the order they are shown.
std::span<Setting const> settings();
core::Result<Setting const*> setting_named(std::string_view key);

/// The value as people read it.
std::string setting_text(boost::json::value const& value);

/// A span in Go's notation (`90m`, `1h30m`), which knows no days.
std::optional<core::Duration> parse_go_duration(std::string_view text);

}  // namespace andon::cli
