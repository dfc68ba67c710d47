#include "tui/model/board_keys.hpp"

#include <algorithm>

#include "core/text/visible_text.hpp"
#include "service/boards/boards.hpp"
#include "service/limits/freeze.hpp"
#include "service/runs/dispatch.hpp"
#include "service/workers/workers.hpp"
#include "tui/model/layout.hpp"
#include "tui/model/pages.hpp"
#include "tui/model/requests.hpp"

namespace andon::tui {
namespace {

void select_row(Model& model, std::size_t row) {
  if (model.selection.column >= model.data.cards.columns()) return;
  auto const& rows = model.data.cards.rows(model.selection.column);
  model.selection.row = rows.empty() ? 0 : std::min(row, rows.size() - 1);
  model.selection.task = rows.empty() ? core::TaskId{} : rows[model.selection.row]->id;
  show_selection(model);
}

void step_column(Model& model, int by) {
  auto const shown = shown_columns(model);
  auto const found = std::ranges::find(shown, model.selection.column);
  if (shown.empty()) return;
  auto const place = found == shown.end() ? 0 : found - shown.begin();
  auto const next = std::clamp<std::ptrdiff_t>(place + by, 0, std::ssize(shown) - 1);
  select_column(model, shown[static_cast<std::size_t>(next)]);
}

void step_row(Model& model, std::ptrdiff_t by) {
  auto const to = static_cast<std::ptrdiff_t>(model.selection.row) + by;
  select_row(model, static_cast<std::size_t>(std::max<std::ptrdiff_t>(to, 0)));
}

std::ptrdiff_t rows_of_page(Model const& model) {
  for (auto const& column : layout_of(model).columns)
    if (column.column == model.selection.column) return std::max<std::ptrdiff_t>(std::ssize(column.cards), 1);
  return 1;
}

void begin_create(Model& model) {
  TaskForm form;
  auto const& cards = model.data.cards;
  if (cards.columns() == 0) return;
  form.status = cards.column_name(model.selection.column);
  auto const& names = model.data.board.priorities;
  auto const usual = std::ranges::find(names, model.data.board.default_priority);
  form.priority = usual == names.end() ? 0 : static_cast<std::size_t>(usual - names.begin());
  model.dialogs.push_back(std::move(form));
}

void begin_edit(Model& model, service::Card const& card, Effects& effects) {
  TaskForm form;
  form.edits = card.id;
  form.status = card.status;
  form.title = TextField{card.title, false};
  form.tags = TextField{tags_text(card.tags), false};
  auto const& names = model.data.board.priorities;
  auto const place = std::ranges::find(names, card.priority);
  form.priority = static_cast<std::size_t>(place - names.begin());
  model.dialogs.push_back(std::move(form));
  effects.push_back(read_task(Purpose::task, card.id));
}

void begin_move(Model& model, service::Card const& card) {
  Picker picker{"Move #" + std::to_string(card.id) + " to:", {}, {}, 0, card.id};
  for (auto const& column : model.data.board.columns) {
    if (column.name == card.status) picker.at = picker.words.size();
    picker.words.push_back(column.name);
    picker.shown.push_back(column.name + (column.name == card.status ? " (current)" : ""));
  }
  model.dialogs.push_back(std::move(picker));
}

void move_beside(Model& model, service::Card const& card, int by, Effects& effects) {
  auto const& cards = model.data.cards;
  for (std::size_t i = 0; i < cards.columns(); ++i) {
    if (cards.column_name(i) != card.status) continue;
    auto const to = static_cast<std::ptrdiff_t>(i) + by;
    if (to < 0 || to >= static_cast<std::ptrdiff_t>(cards.columns())) {
      model.notice = {"#" + std::to_string(card.id) + " is in the " + (by > 0 ? "last" : "first") + " column",
                      true};
      return;
    }
    effects.push_back(move_to(model, card, cards.column_name(static_cast<std::size_t>(to))));
  }
}

void change_priority(Model& model, service::Card const& card, int by, Effects& effects) {
  auto const& names = model.data.board.priorities;
  auto const place = std::ranges::find(names, card.priority);
  auto const to = place - names.begin() + by;
  if (place == names.end()) {
    model.notice = {"this board has no priority \"" + core::visible_line(card.priority) + "\"", true};
    return;
  }
  if (to < 0 || to >= std::ssize(names)) {
    model.notice = {
        "#" + std::to_string(card.id) + " has the " + (by > 0 ? "highest" : "lowest") + " priority", true};
    return;
  }
  effects.push_back(set_priority(model, card, names[static_cast<std::size_t>(to)]));
}

void begin_delete(Model& model, service::Card const& card) {
  model.dialogs.push_back(Confirmation{"Delete task?", "#" + std::to_string(card.id) + ": " + card.title,
                                       delete_task(model, card)});
}

void pull_cord(Model& model, Effects& effects) {
  boost::json::object on_board{{"board", model.data.board.name}};
  if (!model.data.dispatch.stopped) {
    effects.push_back(ask_for<&service::freeze>(Purpose::act, std::move(on_board)));
    return;
  }
  model.dialogs.push_back(Confirmation{"Let all agents of this board go on?",
                                       "Stopped by " + model.data.dispatch.stopped->by,
                                       ask_for<&service::thaw>(Purpose::act, std::move(on_board))});
}

void freeze_worker(Model& model, service::Card const& card, Effects& effects) {
  if (!card.run) {
    model.notice = {"no agent works on #" + std::to_string(card.id), true};
    return;
  }
  auto ask = ask_for<&service::list_frozen>(Purpose::frozen, {}, card.id);
  ask.key = card.run->worker;
  effects.push_back(std::move(ask));
}

void open_output(Model& model, service::Card const& card) {
  TextPage page;
  page.kind = TextPage::Kind::output;
  page.title = "Output of #" + std::to_string(card.id) + ": " + card.title;
  page.task = card.id;
  page.follows = true;
  model.dialogs.push_back(std::move(page));
}

void open_diff(Model& model, service::Card const& card) {
  TextPage page;
  page.kind = TextPage::Kind::diff;
  page.title = "Changes of #" + std::to_string(card.id) + ": " + card.title;
  page.task = card.id;
  model.dialogs.push_back(std::move(page));
}

void turn_order(Model& model, bool reverse_only) {
  auto order = model.data.cards.order();
  if (reverse_only)
    order.reverse = !order.reverse;
  else
    order = next_order(order);
  model.data.cards.set_order(order);
  model.data.cards.arrange();
  settle_selection(model);
}

/// Does what the act asks of the card. False for an act that concerns no card.
bool act_on_task(Model& model, service::Card const& card, Act act, Effects& effects) {
  switch (act) {
    case Act::edit: return begin_edit(model, card, effects), true;
    case Act::move: return begin_move(model, card), true;
    case Act::next: return move_beside(model, card, 1, effects), true;
    case Act::previous: return move_beside(model, card, -1, effects), true;
    case Act::raise: return change_priority(model, card, 1, effects), true;
    case Act::lower: return change_priority(model, card, -1, effects), true;
    case Act::remove: return begin_delete(model, card), true;
    case Act::output: return open_output(model, card), true;
    case Act::diff: return open_diff(model, card), true;
    case Act::freeze: return freeze_worker(model, card, effects), true;
    default: return false;
  }
}

void act_on_board(Model& model, Act act, Effects& effects) {
  switch (act) {
    case Act::left: return step_column(model, -1);
    case Act::right: return step_column(model, 1);
    case Act::down: return step_row(model, 1);
    case Act::up: return step_row(model, -1);
    case Act::page_down: return step_row(model, rows_of_page(model));
    case Act::page_up: return step_row(model, -rows_of_page(model));
    case Act::first: return select_row(model, 0);
    case Act::last: return select_row(model, std::size_t{1} << 40U);
    case Act::create: return begin_create(model);
    case Act::sort: return turn_order(model, false);
    case Act::reverse: return turn_order(model, true);
    case Act::search:
      model.dialogs.push_back(
          FilterLine{TextField{model.data.cards.filter(), false}, model.data.cards.filter()});
      return;
    case Act::reload: return effects.push_back(ReadBoard{model.data.board.name});
    case Act::help: return model.dialogs.push_back(help_page(model));
    case Act::debug: return model.dialogs.push_back(debug_page(model));
    case Act::inbox: return model.dialogs.push_back(Inbox{});
    case Act::workers: return model.dialogs.push_back(workers_page(model));
    case Act::cord: return pull_cord(model, effects);
    case Act::pause:
      return effects.push_back(
          ask_for<&service::set_dispatch>(Purpose::act, {{"paused", !model.data.dispatch.paused}}));
    case Act::boards: return effects.push_back(ask_for<&service::list_boards>(Purpose::boards, {}));
    case Act::suspend: return effects.push_back(Suspend{});
    case Act::escape:
      if (model.data.cards.filter().empty()) return effects.push_back(Quit{});
      model.data.cards.set_filter({});
      model.data.cards.arrange();
      return settle_selection(model);
    case Act::quit: return effects.push_back(Quit{});
    default: return;
  }
}

}  // namespace

void select_column(Model& model, std::size_t column) {
  model.selection.column = column;
  select_row(model, model.selection.row);
}

bool select_task(Model& model, core::TaskId task) {
  for (auto const column : shown_columns(model)) {
    auto const& rows = model.data.cards.rows(column);
    auto const found = std::ranges::find(rows, task, &service::Card::id);
    if (found == rows.end()) continue;
    model.selection.column = column;
    select_row(model, static_cast<std::size_t>(found - rows.begin()));
    return true;
  }
  return false;
}

void settle_selection(Model& model) {
  auto& selection = model.selection;
  auto const shown = shown_columns(model);
  if (shown.empty()) {
    selection = {};
    return;
  }
  if (std::ranges::find(shown, selection.column) == shown.end()) {
    // The column went; the nearest one is selected.
    auto const after = std::ranges::lower_bound(shown, selection.column);
    selection.column = after == shown.end() ? shown.back() : *after;
  }
  auto const& rows = model.data.cards.rows(selection.column);
  auto const found = std::ranges::find(rows, selection.task, &service::Card::id);
  select_row(model, found == rows.end() ? selection.row : static_cast<std::size_t>(found - rows.begin()));
}

void open_task(Model& model, core::TaskId task) { model.dialogs.push_back(TaskPage{.task = task}); }

bool press_on_task(Model& model, service::Card const& card, KeyPress const& key, Effects& effects) {
  if (act_on_task(model, card, act_of(key, model.data.is_live), effects)) return true;
  if (key.key != Key::character || key.control || key.alt) return false;
  if (operations_of(key.text).empty()) return false;
  auto ask = read_task(Purpose::verbs, card.id);
  ask.key = key.text;
  effects.push_back(std::move(ask));
  return true;
}

void press_on_board(Model& model, KeyPress const& key, Effects& effects) {
  auto const act = act_of(key, model.data.is_live);
  auto const* card = selected_card(model);
  if (act == Act::open) {
    if (card) open_task(model, card->id);
    return;
  }
  if (card && press_on_task(model, *card, key, effects)) return;
  act_on_board(model, act, effects);
}

}  // namespace andon::tui
