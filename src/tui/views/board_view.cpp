#include "tui/views/board_view.hpp"

#include <charconv>

#include "core/text/cell_width.hpp"
#include "core/text/visible_text.hpp"
#include "tui/model/attention.hpp"
#include "tui/model/layout.hpp"
#include "tui/model/look.hpp"
#include "tui/screen/text_layout.hpp"
#include "tui/views/status_line.hpp"

namespace andon::tui {
namespace {

constexpr Style kFrameLook{.text = Colour::of(240)};
constexpr Style kSelectedFrame{.text = Colour::of(39), .bold = true};
constexpr Style kBlockedFrame{.text = Colour::of(196)};
constexpr Style kHeadLook{.text = Colour::of(250), .bold = true};
constexpr Style kSelectedHead{.text = Colour::of(255), .bold = true, .underline = true};

/// The colour that the board gives to a card of that age.
Style age_look(Model const& model, service::Card const& card) {
  Style out = kFaint;
  auto const age = model.now - card.updated;
  for (auto const& threshold : display_of(model).age_thresholds) {
    if (age < threshold.after) break;
    unsigned index = 0;
    auto const& text = threshold.color;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
    if (error == std::errc{} && end == text.data() + text.size() && index < 256)
      out = {.text = Colour::of(static_cast<std::uint8_t>(index))};
  }
  return out;
}

Style frame_look(Model const& model, service::Card const& card, bool is_selected) {
  if (card.blocked.value_or(false)) return {.text = kBlockedFrame.text, .bold = is_selected};
  if (is_selected) return kSelectedFrame;
  if (model.data.is_live)
    if (auto const call = call_of(card)) return {.text = look_of(*call).text};
  return kFrameLook;
}

Style line_look(Model const& model, service::Card const& card, CardLine::Kind kind, bool is_selected) {
  switch (kind) {
    case CardLine::Kind::title: return {.bold = is_selected};
    case CardLine::Kind::facts: return kFaint;
    case CardLine::Kind::holder: return kLink;
    case CardLine::Kind::run: return kGood;
    case CardLine::Kind::reason: return kFaint;
    case CardLine::Kind::call:
      if (auto const call = call_of(card)) return look_of(*call);
      return card.blocked.value_or(false) ? kBad : kCalling;
  }
  return age_look(model, card);
}

/// The facts of a card with its age in the colour of that age.
void draw_facts(Model const& model, service::Card const& card, Point at, std::string const& text,
                CellBuffer& cells) {
  auto const age = age_text(model.now - card.updated);
  bool const has_age = !age.empty() && text.ends_with(" " + age);
  auto const head = has_age ? text.substr(0, text.size() - age.size()) : text;
  auto const used = cells.put(at, head, kFaint);
  if (has_age) cells.put({at.x + used, at.y}, age, age_look(model, card));
}

void draw_card(Model const& model, PlacedCard const& placed, CellBuffer& cells) {
  bool const is_selected = placed.card->id == model.selection.task;
  auto const frame = frame_look(model, *placed.card, is_selected);
  if (placed.has_frame) cells.frame(placed.area, frame);
  int const top = placed.area.y + (placed.has_frame ? 1 : 0);
  int y = top;
  for (auto const& line : placed.lines) {
    Point const at{placed.area.x + 2, y++};
    if (line.kind == CardLine::Kind::facts)
      draw_facts(model, *placed.card, at, line.text, cells);
    else
      cells.put(at, line.text, line_look(model, *placed.card, line.kind, is_selected), placed.area.width - 4);
  }
  // Without colours the selected card is told by a mark.
  if (is_selected) cells.put({placed.area.x, top}, "▌", frame);
}

bool is_full(Model const& model, std::string const& name) {
  for (auto const& column : model.data.board.columns)
    if (column.name == name && column.wip_limit > 0) {
      auto const count = model.data.counts.find(name);
      return count != model.data.counts.end() && count->second >= column.wip_limit;
    }
  return false;
}

Style head_look(Model const& model, PlacedColumn const& column) {
  auto const& name = model.data.cards.column_name(column.column);
  auto look = column.column == model.selection.column ? kSelectedHead : kHeadLook;
  if (is_full(model, name)) look.text = kCalling.text;
  if (!model.pointer.over.empty() && model.pointer.over == name) look.reverse = true;
  return look;
}

void draw_column(Model const& model, PlacedColumn const& column, bool has_head, CellBuffer& cells) {
  int const room = column.area.width - 1;
  if (has_head)
    cells.put({column.area.x, column.area.y}, " " + shortened(column.head, room - 1),
              head_look(model, column), room);
  int y = column.area.y + 1;
  if (column.above > 0 && column.has_marks)
    cells.put({column.area.x + 2, y++}, "↑ " + std::to_string(column.above) + " more", kFaint, room - 2);
  for (auto const& card : column.cards) {
    draw_card(model, card, cells);
    y = card.area.y + card.area.height;
  }
  if (column.cards.empty() && column.above + column.below == 0 && column.area.height > 1)
    cells.put({column.area.x + 2, y}, "(empty)", kFaint, room - 2);
  if (column.below > 0 && column.has_marks)
    cells.put({column.area.x + 2, std::min(y, column.area.y + column.area.height - 1)},
              "↓ " + std::to_string(column.below) + " more", kFaint, room - 2);
}

/// All columns in one row, of which some are shown below.
void draw_tabs(Model const& model, Layout const& layout, CellBuffer& cells) {
  int const row = layout.top - 1;
  auto const shown = shown_columns(model);
  // The tabs begin so far left that the selected one is in sight.
  std::vector<std::string> tabs;
  for (auto const column : shown) {
    auto const& cards = model.data.cards;
    auto const name = cards.column_name(column) + " " + std::to_string(cards.rows(column).size());
    tabs.push_back(column == model.selection.column ? "[" + name + "]" : " " + name + " ");
  }
  std::size_t first = 0;
  auto const width_to = [&](std::size_t from, std::size_t to) {
    std::size_t sum = 0;
    for (auto i = from; i <= to && i < tabs.size(); ++i) sum += core::cells(tabs[i]);
    return sum;
  };
  std::size_t selected = 0;
  for (std::size_t i = 0; i < shown.size(); ++i)
    if (shown[i] == model.selection.column) selected = i;
  while (first < selected && width_to(first, selected) > static_cast<std::size_t>(cells.width())) ++first;
  int x = 0;
  for (auto i = first; i < tabs.size() && x < cells.width(); ++i)
    x += cells.put({x, row}, shortened(tabs[i], cells.width() - x), i == selected ? kSelectedHead : kFaint);
}

}  // namespace

void draw_board(Model const& model, CellBuffer& cells) {
  auto const layout = layout_of(model);
  if (layout.top > (layout.has_tabs ? 1 : 0)) draw_top_line(model, cells);
  if (layout.has_tabs) draw_tabs(model, layout, cells);
  for (auto const& column : layout.columns) draw_column(model, column, true, cells);
  draw_status_line(model, layout.status_row, cells);
}

}  // namespace andon::tui
