#include "tui/views/dialog_view.hpp"

#include <algorithm>

#include "core/text/cell_width.hpp"
#include "core/text/visible_text.hpp"
#include "tui/model/attention.hpp"
#include "tui/model/layout.hpp"
#include "tui/model/look.hpp"
#include "tui/model/page_text.hpp"
#include "tui/screen/text_layout.hpp"
#include "tui/views/status_line.hpp"

namespace andon::tui {
namespace {

using Cursor = std::optional<Point>;

constexpr Style kBoxFrame{.text = Colour::of(39)};
constexpr int kWidest = 79;

/// A box in the middle of the screen, emptied. The answer is the area inside it.
Rect box(CellBuffer& cells, int width, int height) {
  width = std::min(width, cells.width());
  height = std::min(height, cells.height());
  Rect const area{(cells.width() - width) / 2, (cells.height() - height) / 2, width, height};
  cells.clear(area);
  cells.frame(area, kBoxFrame);
  return {area.x + 2, area.y + 1, std::max(1, area.width - 4), std::max(0, area.height - 2)};
}

void put(CellBuffer& cells, Rect const& inside, int row, std::string_view text, Style style = {}) {
  if (row < inside.height) cells.put({inside.x, inside.y + row}, text, style, inside.width);
}

int draw_spans(CellBuffer& cells, Point at, PageLine const& line, int most) {
  int used = 0;
  for (auto const& span : line) used += cells.put({at.x + used, at.y}, span.text, span.style, most - used);
  return used;
}

/// The place of the cursor in a text that is broken into lines of that width.
Point place_in(TextField const& field, int width) {
  std::string_view const text{field.text()};
  auto const before = wrapped(text.substr(0, field.at()), width);
  int const row = std::max(0, static_cast<int>(before.size()) - 1);
  // The word at the cursor may be in the next line.
  auto const start = field.at() == 0 ? 0 : text.find_last_of(" \n", field.at() - 1) + 1;
  auto const end = std::min(text.find_first_of(" \n", field.at()), text.size());
  auto const lines = wrapped(text.substr(0, end), width);
  if (start < end && lines.size() > before.size() &&
      lines.back() == core::visible_text(text.substr(start, end - start)))
    return {static_cast<int>(core::cells(core::visible_text(text.substr(start, field.at() - start)))),
            static_cast<int>(lines.size()) - 1};
  auto const column = before.empty() ? 0 : static_cast<int>(core::cells(before.back()));
  // A blank at the end of a line is not drawn by the layout, but typed all the same.
  int blanks = 0;
  for (auto i = field.at(); i > 0 && text[i - 1] == ' ' && column + blanks < width; --i) ++blanks;
  bool const is_trimmed = !before.empty() && blanks > 0 && !before.back().ends_with(' ');
  return {column + (is_trimmed ? blanks : 0), row};
}

/// A text that is typed, in as many rows as there are; the part with the cursor is in sight.
Cursor draw_field(CellBuffer& cells, Rect const& area, TextField const& field, bool has_cursor) {
  // The cursor takes a cell of its own at the end of a line.
  auto const width = std::max(1, area.width - 1);
  auto const rows = wrapped(field.text(), width);
  auto const place = place_in(field, width);
  int const first = std::max(0, place.y - area.height + 1);
  for (int i = 0; i < area.height && first + i < static_cast<int>(rows.size()); ++i)
    cells.put({area.x, area.y + i}, rows[static_cast<std::size_t>(first + i)], {}, area.width);
  if (!has_cursor) return std::nullopt;
  return Point{area.x + std::min(place.x, area.width - 1), area.y + place.y - first};
}

Cursor draw(Model const& model, Picker const& picker, CellBuffer& cells) {
  std::size_t width = core::cells(picker.title) + 6;
  for (auto const& word : picker.shown) width = std::max(width, core::cells(word) + 10);
  auto const inside = box(cells, std::max(30, static_cast<int>(std::min<std::size_t>(width, kWidest))),
                          static_cast<int>(picker.words.size()) + 8);
  put(cells, inside, 1, " " + shortened(picker.title, inside.width - 1), kStrong);
  int const rows = picker_rows(model, picker);
  int const first = std::max(0, static_cast<int>(picker.at) - rows + 1);
  for (int i = 0; i < rows && first + i < static_cast<int>(picker.shown.size()); ++i) {
    auto const at = static_cast<std::size_t>(first + i);
    put(cells, inside, 3 + i, (at == picker.at ? " > " : "   ") + picker.shown[at],
        at == picker.at ? kStrong : Style{});
  }
  put(cells, inside, inside.height - 2, " enter:select  esc:cancel", kFaint);
  return std::nullopt;
}

constexpr std::array<std::string_view, TaskForm::kSteps> kStepNames{"Title", "Body", "Priority", "Tags"};

Cursor draw_step(Model const& model, TaskForm const& form, CellBuffer& cells, Rect const& area) {
  if (form.step == 0) return draw_field(cells, area, form.title, true);
  if (form.step == 1) return draw_field(cells, area, form.body, true);
  if (form.step == 3) return draw_field(cells, area, form.tags, true);
  auto const& names = model.data.board.priorities;
  for (std::size_t i = 0; i < names.size() && static_cast<int>(i) < area.height; ++i) {
    auto const name = core::visible_line(names[names.size() - 1 - i]);
    bool const is_chosen = names.size() - 1 - i == form.priority;
    cells.put({area.x, area.y + static_cast<int>(i)}, (is_chosen ? "> " : "  ") + name,
              is_chosen ? kStrong : Style{}, area.width);
  }
  return std::nullopt;
}

Cursor draw(Model const& model, TaskForm const& form, CellBuffer& cells) {
  auto const inside = box(cells, kWidest, std::min(18, cells.height()));
  auto const title = form.edits == 0 ? "Create task in " + form.status
                                     : "Edit task #" + std::to_string(form.edits) + " in " + form.status;
  put(cells, inside, 0, core::visible_line(title), kStrong);
  put(cells, inside, 1,
      "Step " + std::to_string(form.step + 1) + "/" + std::to_string(TaskForm::kSteps) + ": " +
          std::string{kStepNames[static_cast<std::size_t>(form.step)]},
      kFaint);
  Rect const area{inside.x, inside.y + 3, inside.width, std::max(1, inside.height - 6)};
  auto const cursor = draw_step(model, form, cells, area);
  auto const hint = form.step == 1   ? "tab:next  enter:save  alt+enter:new line  esc:cancel"
                    : form.step == 2 ? "j/k:choose  tab:next  enter:save  esc:cancel"
                    : form.step == 3 ? "commas between tags  enter:save  esc:cancel"
                                     : "tab:next  enter:save  esc:cancel";
  if (!model.notice.text.empty())
    put(cells, inside, inside.height - 2, shortened(model.notice.text, inside.width), kBad);
  put(cells, inside, inside.height - 1, fitting(hint, inside.width), kFaint);
  return cursor;
}

Cursor draw(Model const&, Confirmation const& confirmation, CellBuffer& cells) {
  auto const widest = std::max(core::cells(confirmation.text), core::cells(confirmation.detail));
  auto const inside = box(cells, std::clamp(static_cast<int>(widest) + 6, 30, kWidest), 9);
  put(cells, inside, 1, " " + shortened(confirmation.text, inside.width - 1), kStrong);
  put(cells, inside, 3, " " + shortened(confirmation.detail, inside.width - 1));
  put(cells, inside, 5, " y:yes  n:no", kFaint);
  return std::nullopt;
}

Cursor draw(Model const& model, TextPrompt const& prompt, CellBuffer& cells) {
  auto const room = std::min(kWidest, cells.width()) - 4;
  auto question = wrapped(core::visible_text(prompt.question), std::max(room, 1), 12);
  int const fixed = 8 + static_cast<int>(prompt.choices.size());
  int const most = std::max(1, cells.height() - fixed - 3);
  if (static_cast<int>(question.size()) > most) question.resize(static_cast<std::size_t>(most));
  auto const inside = box(cells, kWidest, fixed + static_cast<int>(question.size()) + 2);
  int row = 0;
  put(cells, inside, row++, shortened(prompt.title, inside.width), kStrong);
  ++row;
  for (auto const& line : question) put(cells, inside, row++, line);
  ++row;
  for (std::size_t i = 0; i < prompt.choices.size(); ++i)
    put(cells, inside, row++, std::to_string(i + 1) + ") " + core::visible_line(prompt.choices[i]), kLink);
  put(cells, inside, row, ">", kStrong);
  Rect const area{inside.x + 2, inside.y + row, std::max(1, inside.width - 2),
                  std::max(1, inside.height - row - 2)};
  auto const cursor = draw_field(cells, area, prompt.text, true);
  auto const hint = prompt.choices.empty() ? "enter:send  alt+enter:new line  esc:cancel"
                                           : "1-9:choose, or type  enter:send  esc:cancel";
  put(cells, inside, inside.height - 1,
      model.notice.text.empty() ? fitting(hint, inside.width) : shortened(model.notice.text, inside.width),
      model.notice.text.empty() ? kFaint : kBad);
  return cursor;
}

Cursor draw(Model const& model, FilterLine const& line, CellBuffer& cells) {
  int const row = cells.height() - 1;
  cells.clear({0, row, cells.width(), 1});
  if (model.notice.is_refusal) {
    cells.clear({0, row - 1, cells.width(), 1});
    cells.put({0, row - 1}, shortened(" " + model.notice.text, cells.width()), kBad);
  }
  auto const head = cells.put({0, row}, " /", kStrong);
  return draw_field(cells, {head, row, std::max(1, cells.width() - head), 1}, line.text, true);
}

void draw_hint(Model const& model, std::string_view hint, CellBuffer& cells) {
  int const row = cells.height() - 1;
  cells.clear({0, row, cells.width(), 1});
  if (!model.notice.text.empty())
    cells.put({0, row}, shortened(model.notice.text, cells.width()),
              model.notice.is_refusal ? kBad : kCalling);
  else
    cells.put({0, row}, fitting(hint, cells.width()), kFaint);
}

Cursor draw(Model const& model, TaskPage const& page, CellBuffer& cells) {
  cells.clear({0, 0, cells.width(), cells.height()});
  auto const& lines = page.text.lines;
  int const rows = task_rows(model);
  for (int i = 0; i < rows && page.offset + i < static_cast<int>(lines.size()); ++i)
    draw_spans(cells, {0, i}, lines[static_cast<std::size_t>(page.offset + i)], cells.width());
  bool const has_more = page.offset + rows < static_cast<int>(lines.size());
  draw_hint(
      model,
      has_more ? "↓ more  j/k:scroll  e:edit  m:move  esc:back" : "j/k:scroll  e:edit  m:move  esc:back",
      cells);
  return std::nullopt;
}

std::string_view hint_of(TextPage const& page) {
  switch (page.kind) {
    case TextPage::Kind::help: return "Press any key to close";
    case TextPage::Kind::output:
      return page.follows ? "following  k:scroll  g:top  esc:back" : "j/k:scroll  G:follow  esc:back";
    case TextPage::Kind::diff: return "j/k:scroll  a:accept  x:send back  esc:back";
    default: return "j/k:scroll  esc:back";
  }
}

Cursor draw(Model const& model, TextPage const& page, CellBuffer& cells) {
  cells.clear({0, 0, cells.width(), cells.height()});
  cells.put({0, 0}, shortened(page.title, cells.width()), kStrong);
  std::string rule;
  for (int i = 0; i < cells.width(); ++i) rule += "─";
  cells.put({0, 1}, rule, kFaint);
  int row = 0;
  int const rows = page_rows(model);
  for (auto i = static_cast<std::size_t>(page.offset); i < page.lines.size() && row < rows; ++i)
    for (auto const& line : broken_line(page.lines[i], cells.width())) {
      if (row >= rows) break;
      draw_spans(cells, {0, 2 + row++}, line, cells.width());
    }
  if (page.lines.empty())
    cells.put({0, 2}, page.kind == TextPage::Kind::output ? "no output yet" : "…", kFaint);
  draw_hint(model, hint_of(page), cells);
  return std::nullopt;
}

Cursor draw(Model const& model, Inbox const& inbox, CellBuffer& cells) {
  cells.clear({0, 0, cells.width(), cells.height()});
  auto const items = attention_of(model.data);
  cells.put({0, 0}, "Needs you (" + std::to_string(items.size()) + ")", kStrong);
  auto const found = std::ranges::find(items, inbox.task, &Attention::task);
  auto const at = found != items.end()
                      ? static_cast<int>(found - items.begin())
                      : std::min(static_cast<int>(inbox.at), static_cast<int>(items.size()) - 1);
  int const rows = page_rows(model);
  int const first = std::max(0, at - rows + 1);
  for (int i = 0; i < rows && first + i < static_cast<int>(items.size()); ++i) {
    auto const& item = items[static_cast<std::size_t>(first + i)];
    auto const* card = model.data.cards.find(item.task);
    if (!card) continue;
    bool const is_here = first + i == at;
    int x = cells.put({0, 2 + i}, is_here ? "> " : "  ", kStrong);
    x += cells.put({x, 2 + i}, core::padded(std::string{name_of(item.call)}, 14), look_of(item.call));
    x += cells.put({x, 2 + i}, core::padded(age_text(model.now - item.since), 5), kFaint);
    auto text = "#" + std::to_string(card->id) + " " + card->title;
    if (card->question)
      text += "  ? " + core::visible_line(card->question->text);
    else if (!card->failure.empty())
      text += "  x " + core::visible_line(card->failure);
    cells.put({x, 2 + i}, shortened(text, cells.width() - x), is_here ? kStrong : Style{});
  }
  if (items.empty()) cells.put({0, 2}, "Nothing waits for you.", kFaint);
  draw_hint(model, "enter:open  a:answer or accept  x:send back  t:retry  v:diff  esc:back", cells);
  return std::nullopt;
}

}  // namespace

std::optional<Point> draw_dialog(Model const& model, Dialog const& dialog, CellBuffer& cells) {
  return std::visit([&](auto const& one) { return draw(model, one, cells); }, dialog);
}

}  // namespace andon::tui
