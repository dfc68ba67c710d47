#pragma once

#include <string>
#include <vector>

#include "tui/model/model.hpp"
#include "tui/screen/cell_buffer.hpp"

namespace andon::tui {

/// One line of a card, below its upper edge.
struct CardLine {
  enum class Kind { title, facts, holder, run, call, reason };
  Kind kind = Kind::title;
  std::string text;
};

/// A card where it stands on the screen.
struct PlacedCard {
  service::Card const* card = nullptr;
  std::size_t row = 0;
  Rect area;
  std::vector<CardLine> lines;
  bool has_frame = true;  ///< not where there is no room for it
};

/// A column where it stands on the screen.
struct PlacedColumn {
  std::size_t column = 0;  ///< of the table
  Rect area;               ///< with its head
  std::string head;
  std::vector<PlacedCard> cards;
  std::size_t above = 0;  ///< cards scrolled away
  std::size_t below = 0;  ///< cards for which there is no room
  bool has_marks = true;  ///< lines that say so; not where they would take the room of the cards
};

/// The board as it is drawn. Views draw it, and the mouse is looked up in it.
struct Layout {
  bool has_tabs = false;  ///< all columns stand in a row of tabs, since some have no room
  int top = 0;            ///< rows above the columns
  std::vector<PlacedColumn> columns;
  int status_row = 0;
};

/// The columns of the table that are shown, in order. Empty ones can be left out.
std::vector<std::size_t> shown_columns(Model const& model);
Layout layout_of(Model const& model);
/// Scrolls the column of the selection so that the selected card is in sight, whole if that is possible.
void show_selection(Model& model);

PlacedCard const* card_at(Layout const& layout, Point at);
PlacedColumn const* column_at(Layout const& layout, Point at);

/// The age in a few characters: `5m`, `3h`, `2d`; empty below a minute.
std::string age_text(core::Duration age);

}  // namespace andon::tui
