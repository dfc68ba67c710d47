#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "tui/model/card_table.hpp"
#include "tui/model/dialogs.hpp"
#include "tui/model/messages.hpp"

namespace andon::tui {

/// The settings that come from the command line and the machine.
struct Options {
  std::optional<bool> hide_empty_columns{};  ///< as the board says when unsaid
  bool mouse = false;
  bool narrow = false;   ///< one column at a time, however wide the screen is
  std::string own_name;  ///< under which tasks are claimed: `tui@HOST`
  std::string board;     ///< by name; empty for the first
};

/// The board as it was last told.
struct BoardData {
  core::Board board;
  std::vector<core::Worker> workers;
  service::DispatchLight dispatch;
  std::map<std::string, std::int64_t> counts;  ///< tasks by column, of which not all may be here yet
  CardTable cards;
  std::map<core::TaskId, std::string> reasons;  ///< why nobody works on it, of cards that were in sight
  std::unordered_set<core::TaskId> asked;       ///< cards whose reasons were asked for and are still fresh
  std::unordered_set<core::TaskId> told;        ///< cards that were told since the board is being read anew
  bool is_live = false;                         ///< of a server, with workers and runs
  int turn = 0;                                 ///< of the reading that brought the board
  bool is_read = false;
};

/// The selected card. It stays the selected one while it stays in its column.
struct Selection {
  std::size_t column = 0;  ///< of the table
  std::size_t row = 0;
  core::TaskId task = 0;    ///< none in an empty column
  core::TaskId follow = 0;  ///< to be selected in whatever column it comes to
};

/// The state of the mouse between two of its events.
struct Pointer {
  core::TaskId pressed = 0;  ///< the card under a button that is held
  bool was_dragged = false;
  bool presses_back = false;
  std::string from;          ///< its column
  std::string over;          ///< the column that it is dragged over
  core::TaskId clicked = 0;  ///< a second click within half a second opens it
  std::optional<core::Instant> clicked_at{};
};

/// A sentence for the person, until the next key.
struct Notice {
  std::string text;
  bool is_refusal = false;
  bool tells_of_outage = false;  ///< the board is away; over when it is back
  bool operator==(Notice const&) const = default;
};

/// Everything that the screen is drawn from. Only `step` changes it.
struct Model {
  Options options;
  Resized size;
  BoardData data;
  Selection selection;
  std::vector<std::size_t> offsets;  ///< cards scrolled away, by column of the table
  Pointer pointer;
  std::vector<Dialog> dialogs;  ///< the last one has the keys
  std::vector<TaskForm> sent;   ///< forms whose answers are awaited; one that is refused opens again
  Notice notice;
  std::string trouble;  ///< why the board is not live at this moment
  core::Instant now{};
  std::uint64_t drawn = 0;  ///< happenings so far, for the debug page
};

/// The card that is selected; null in an empty column.
service::Card const* selected_card(Model const& model);
core::BoardDisplay display_of(Model const& model);

}  // namespace andon::tui
