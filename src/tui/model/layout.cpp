#include "tui/model/layout.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

#include "core/text/cell_width.hpp"
#include "core/text/visible_text.hpp"
#include "tui/model/attention.hpp"
#include "tui/screen/text_layout.hpp"

namespace andon::tui {
namespace {

constexpr int kNarrowest = 14;      ///< cells of a column, with which all of them still fit
constexpr int kReadable = 22;       ///< the same on a server's board
constexpr int kLeastRows = 8;       ///< of a screen with lines above its columns
constexpr int kLeastWithMarks = 5;  ///< rows of cards: one with a frame between two lines
constexpr int kFrame = 2;           ///< the upper and the lower edge of a card
constexpr std::size_t kReasonLines = 2;

bool hides_empty(Model const& model) {
  return model.options.hide_empty_columns.value_or(display_of(model).hide_empty_columns);
}

/// The width for text in a card: its column without the frame and one blank on either side.
int inner_width(int column) { return std::max(1, column - 4); }

void add(std::vector<CardLine>& lines, CardLine::Kind kind, std::string text, int width) {
  if (!text.empty()) lines.push_back({kind, shortened(text, width)});
}

void add_wrapped(std::vector<CardLine>& lines, CardLine::Kind kind, std::string_view text, int width,
                 std::size_t most) {
  for (auto& line : wrapped(core::visible_line(text), width, most)) lines.push_back({kind, std::move(line)});
}

bool shows_age(Model const& model, service::Card const& card) {
  for (auto const& column : model.data.board.columns)
    if (column.name == card.status) return column.show_duration.value_or(true);
  return true;
}

/// The priority, tags, when it is due and its age. Tags for which there is no room are left out.
std::string facts_of(Model const& model, service::Card const& card, int width) {
  std::string end;
  if (card.due) end += " due:" + core::to_text(*card.due);
  auto const age = shows_age(model, card) ? age_text(model.now - card.updated) : std::string{};
  if (!age.empty()) end += " " + age;
  auto out = core::visible_line(card.priority);
  auto room = width - static_cast<int>(core::cells(out) + core::cells(end));
  for (auto const& tag : card.tags) {
    auto const text = " " + core::visible_line(tag);
    room -= static_cast<int>(core::cells(text));
    if (room < 0) break;
    out += text;
  }
  out += end;
  return out.starts_with(' ') ? out.substr(1) : out;
}

std::string money(double usd) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "$%.2f", usd);
  return text.data();
}

/// `4 files +96 -12, 2/2 checks, $1.32`.
std::string work_of(service::CardWork const& work) {
  std::string out;
  auto const join = [&](std::string const& text) { out += (out.empty() ? "" : ", ") + text; };
  if (work.diff)
    join(std::to_string(work.diff->files) + (work.diff->files == 1 ? " file +" : " files +") +
         std::to_string(work.diff->added) + " -" + std::to_string(work.diff->removed));
  if (work.checks > 0)
    join(std::to_string(work.checks_passed) + "/" + std::to_string(work.checks) + " checks");
  if (work.cost_usd) join(money(*work.cost_usd));
  return out;
}

std::string run_of(Model const& model, service::CardRun const& run) {
  auto const age = age_text(model.now - run.started);
  return "> " + run.worker + (age.empty() ? "" : " " + age) +
         (run.attempt > 1 ? " attempt " + std::to_string(run.attempt) : "");
}

/// Adds the lines that only a server's card has: its run, question, trouble, work, flag and reason for
/// waiting.
void add_state(Model const& model, service::Card const& card, int width, std::vector<CardLine>& lines) {
  if (card.run && card.run->state != core::RunState::ended) {
    add(lines, CardLine::Kind::run, run_of(model, *card.run), width);
    add(lines, CardLine::Kind::run, card.line, width);
  }
  auto const call = call_of(card);
  if (card.question)
    add_wrapped(lines, CardLine::Kind::call, "? " + card.question->text, width, kReasonLines);
  else if (card.blocked.value_or(false) && !card.block_reason.empty())
    add_wrapped(lines, CardLine::Kind::call, "! " + card.block_reason, width, kReasonLines);
  else if (!card.failure.empty() && !core::is_terminal(card.stage))
    add_wrapped(lines, CardLine::Kind::call, "x " + card.failure, width, kReasonLines);
  if (card.work && *card.work != service::CardWork{})
    add_wrapped(lines, CardLine::Kind::call, work_of(*card.work), width, kReasonLines);
  if (!card.flag.empty()) add(lines, CardLine::Kind::call, core::visible_line(card.flag), width);
  if (call || card.run) return;
  if (auto const reason = model.data.reasons.find(card.id); reason != model.data.reasons.end())
    add_wrapped(lines, CardLine::Kind::reason, "~ " + reason->second, width, kReasonLines);
}

std::vector<CardLine> lines_of(Model const& model, service::Card const& card, int width) {
  std::vector<CardLine> lines;
  auto const most = static_cast<std::size_t>(std::clamp(display_of(model).title_lines, 1, 3));
  add_wrapped(lines, CardLine::Kind::title, "#" + std::to_string(card.id) + " " + card.title, width, most);
  add(lines, CardLine::Kind::facts, facts_of(model, card, width), width);
  if (!card.claimed_by.empty() && !card.run)
    add(lines, CardLine::Kind::holder, "@" + core::visible_line(card.claimed_by), width);
  if (model.data.is_live)
    add_state(model, card, width, lines);
  else if (card.blocked.value_or(false) && !card.block_reason.empty())
    add_wrapped(lines, CardLine::Kind::call, "! " + card.block_reason, width, 1);
  return lines;
}

/// The name of a column and how many cards it has. The name is cut before the number is.
std::string head_of(Model const& model, std::size_t column, int width) {
  auto const& cards = model.data.cards;
  auto const& name = cards.column_name(column);
  auto const counted = model.data.counts.find(name);
  auto count = cards.filter().empty() && counted != model.data.counts.end()
                   ? counted->second
                   : static_cast<std::int64_t>(cards.rows(column).size());
  std::string limit, title = name;
  for (auto const& one : model.data.board.columns) {
    if (one.name != name) continue;
    if (one.wip_limit > 0) limit = "/" + std::to_string(one.wip_limit);
    if (!one.title.empty()) title = core::visible_line(one.title);
  }
  auto const counted_text = " (" + std::to_string(count) + limit + ")";
  return shortened(title, width - static_cast<int>(counted_text.size())) + counted_text;
}

int height_of(std::vector<CardLine> const& lines) { return static_cast<int>(lines.size()) + kFrame; }

/// The rows of a line that says that there are more cards.
int marks_of(PlacedColumn const& column) { return column.has_marks ? 1 : 0; }

/// The least number of cards that are scrolled away when that one is in sight, whole if that is possible.
/// Above and below the cards there may be lines that say that there are more.
std::size_t offset_to_show(Model const& model, PlacedColumn const& column, std::size_t row) {
  auto const& rows = model.data.cards.rows(column.column);
  if (rows.empty()) return 0;
  row = std::min(row, rows.size() - 1);
  int room = column.area.height - 1 - (row + 1 < rows.size() ? marks_of(column) : 0);
  auto first = row + 1;
  while (first > 0) {
    int const height = height_of(lines_of(model, *rows[first - 1], inner_width(column.area.width)));
    int const mark = first > 1 ? marks_of(column) : 0;
    if (height + mark > room) break;
    room -= height;
    --first;
  }
  return std::min(first, row);
}

/// Fills a column with cards from its offset on.
void place_cards(Model const& model, PlacedColumn& column, std::size_t offset) {
  auto const& rows = model.data.cards.rows(column.column);
  int y = column.area.y + 1;
  int const end = column.area.y + column.area.height;
  // The cards after the offset may have become fewer than there is room for.
  column.above = std::min(offset, offset_to_show(model, column, rows.size()));
  if (column.above > 0) y += marks_of(column);
  auto row = column.above;
  for (; row < rows.size(); ++row) {
    auto lines = lines_of(model, *rows[row], inner_width(column.area.width));
    int const room = end - y - (row + 1 < rows.size() ? marks_of(column) : 0);
    if (room < 1 || (height_of(lines) > room && !column.cards.empty())) break;
    bool const has_frame = room > kFrame;
    int const height = std::min(has_frame ? height_of(lines) : static_cast<int>(lines.size()), room);
    lines.resize(static_cast<std::size_t>(has_frame ? height - kFrame : height));
    column.cards.push_back(
        {rows[row], row, {column.area.x, y, column.area.width, height}, std::move(lines), has_frame});
    y += height;
  }
  column.below = rows.size() - row;
}

std::size_t offset_of(Model const& model, std::size_t column) {
  return column < model.offsets.size() ? model.offsets[column] : 0;
}

int body_rows(Model const& model, Layout const& layout) {
  return std::max(0, model.size.rows - 2 - layout.top);
}

/// The columns side by side: all, or as many as are wide enough, the selected one among them.
struct ColumnWindow {
  std::size_t first = 0;
  std::size_t count = 0;
};

/// The number of columns that there is room for. A board of files shows all or one, as kanban-md does; the
/// cards of a server say more and need more room.
std::size_t columns_that_fit(Model const& model, std::size_t shown) {
  auto const threshold = display_of(model).narrow_threshold;
  int const least = threshold > 0 ? threshold : model.data.is_live ? kReadable : kNarrowest;
  int const fit = model.options.narrow ? 1 : model.size.columns / least;
  if (fit >= static_cast<int>(shown)) return shown;
  return model.data.is_live && !model.options.narrow ? static_cast<std::size_t>(std::max(fit, 1)) : 1;
}

ColumnWindow window_of(Model const& model, std::vector<std::size_t> const& shown) {
  if (shown.empty()) return {};
  auto const fit = columns_that_fit(model, shown.size());
  auto const selected = std::ranges::find(shown, model.selection.column);
  auto const place = selected == shown.end() ? 0 : static_cast<std::size_t>(selected - shown.begin());
  return {std::min(place / fit * fit, shown.size() - fit), fit};
}

Layout frame_of(Model const& model) {
  Layout layout;
  auto const shown = shown_columns(model);
  auto const window = window_of(model, shown);
  layout.status_row = std::max(0, model.size.rows - 1);
  // On a screen of few rows, the cards get all of them.
  bool const is_low = model.size.rows < kLeastRows;
  layout.top = model.data.is_live && !is_low ? 1 : 0;
  layout.has_tabs = window.count < shown.size() && !is_low;
  if (layout.has_tabs) ++layout.top;
  int const width = model.size.columns / std::max(1, static_cast<int>(window.count));
  for (std::size_t i = 0; i < window.count; ++i) {
    PlacedColumn column;
    column.column = shown[window.first + i];
    column.area = {static_cast<int>(i) * width, layout.top, width, body_rows(model, layout) + 1};
    column.has_marks = column.area.height > kLeastWithMarks;
    column.head = head_of(model, column.column, width - 2);
    layout.columns.push_back(std::move(column));
  }
  return layout;
}

}  // namespace

std::vector<std::size_t> shown_columns(Model const& model) {
  std::vector<std::size_t> all, full;
  for (std::size_t i = 0; i < model.data.cards.columns(); ++i) {
    all.push_back(i);
    if (model.data.cards.count(i) > 0) full.push_back(i);
  }
  return hides_empty(model) && !full.empty() ? full : all;
}

Layout layout_of(Model const& model) {
  auto layout = frame_of(model);
  for (auto& column : layout.columns) place_cards(model, column, offset_of(model, column.column));
  return layout;
}

void show_selection(Model& model) {
  auto const layout = frame_of(model);
  model.offsets.resize(model.data.cards.columns());
  for (std::size_t i = 0; i < model.offsets.size(); ++i)
    model.offsets[i] = std::min(model.offsets[i], model.data.cards.rows(i).size());
  auto const placed = std::ranges::find(layout.columns, model.selection.column, &PlacedColumn::column);
  if (placed == layout.columns.end()) return;
  auto& offset = model.offsets[placed->column];
  offset =
      std::max(std::min(offset, model.selection.row), offset_to_show(model, *placed, model.selection.row));
}

PlacedCard const* card_at(Layout const& layout, Point at) {
  for (auto const& column : layout.columns)
    for (auto const& card : column.cards)
      if (card.area.contains(at)) return &card;
  return nullptr;
}

PlacedColumn const* column_at(Layout const& layout, Point at) {
  for (auto const& column : layout.columns)
    if (column.area.contains(at)) return &column;
  return nullptr;
}

std::string age_text(core::Duration age) {
  using namespace std::chrono;
  if (age < minutes{1}) return {};
  if (age < hours{1}) return std::to_string(duration_cast<minutes>(age).count()) + "m";
  if (age < days{1}) return std::to_string(duration_cast<hours>(age).count()) + "h";
  return std::to_string(duration_cast<days>(age).count()) + "d";
}

}  // namespace andon::tui
