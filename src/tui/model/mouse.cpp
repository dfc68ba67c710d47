#include "tui/model/mouse.hpp"

#include <algorithm>
#include <utility>

#include "tui/model/board_keys.hpp"
#include "tui/model/dialog_keys.hpp"
#include "tui/model/layout.hpp"
#include "tui/model/page_text.hpp"
#include "tui/model/requests.hpp"

namespace andon::tui {
namespace {

using What = MouseEvent::What;

constexpr std::chrono::milliseconds kDoubleClick{500};
constexpr int kWheelLines = 3;

void press_card(Model& model, Layout const& layout, Point at) {
  auto const* placed = card_at(layout, at);
  if (!placed) {
    model.pointer = {};
    return;
  }
  model.pointer.pressed = placed->card->id;
  model.pointer.from = placed->card->status;
  model.pointer.over.clear();
}

void drag_over(Model& model, Layout const& layout, Point at) {
  if (model.pointer.pressed == 0) return;
  auto const* column = column_at(layout, at);
  model.pointer.over = column ? model.data.cards.column_name(column->column) : std::string{};
  model.pointer.clicked = 0;
  model.pointer.was_dragged = true;
  if (column && model.pointer.over != model.pointer.from)
    model.notice = {"Move #" + std::to_string(model.pointer.pressed) + " to " + model.pointer.over, false};
  else
    model.notice = {};
}

void drop(Model& model, core::TaskId task, Layout const& layout, Point at, Effects& effects) {
  auto const* column = column_at(layout, at);
  auto const* card = model.data.cards.find(task);
  model.notice = {};
  if (!column || !card) return;
  auto const& status = model.data.cards.column_name(column->column);
  if (status == card->status) return;
  model.selection.follow = task;
  effects.push_back(move_to(model, *card, status));
}

void click(Model& model, core::TaskId task) {
  if (!select_task(model, task)) return;
  auto& pointer = model.pointer;
  bool const is_double = pointer.clicked == task && pointer.clicked_at && model.now >= *pointer.clicked_at &&
                         model.now - *pointer.clicked_at <= kDoubleClick;
  pointer.clicked = is_double ? core::TaskId{} : task;
  pointer.clicked_at = model.now;
  if (is_double) open_task(model, task);
}

void release(Model& model, Layout const& layout, Point at, Effects& effects) {
  auto const task = std::exchange(model.pointer.pressed, core::TaskId{});
  bool const was_dragged = std::exchange(model.pointer.was_dragged, false);
  model.pointer.over.clear();
  if (task == 0) return;
  auto const* placed = card_at(layout, at);
  if (placed && placed->card->id == task) return click(model, task);
  if (was_dragged) drop(model, task, layout, at, effects);
}

void turn_wheel(Model& model, Layout const& layout, MouseEvent const& event) {
  auto const* column = column_at(layout, event.at);
  model.pointer = {};
  if (!column) return;
  if (column->column != model.selection.column) select_column(model, column->column);
  bool const is_down = event.what == What::wheel_down;
  auto const& rows = model.data.cards.rows(column->column);
  auto const at = model.selection.row;
  if (rows.empty() || (!is_down && at == 0)) return;
  auto const next = std::min(is_down ? at + 1 : at - 1, rows.size() - 1);
  select_task(model, rows[next]->id);
}

void use_on_board(Model& model, MouseEvent const& event, Effects& effects) {
  auto const layout = layout_of(model);
  switch (event.what) {
    case What::press: return press_card(model, layout, event.at);
    case What::drag: return drag_over(model, layout, event.at);
    case What::release: return release(model, layout, event.at, effects);
    case What::wheel_up:
    case What::wheel_down: return turn_wheel(model, layout, event);
  }
}

void use_in_dialog(Model& model, MouseEvent const& event, Effects& effects) {
  int const lines = event.what == What::wheel_down ? kWheelLines : -kWheelLines;
  if (event.what == What::wheel_down || event.what == What::wheel_up) {
    if (auto* page = std::get_if<TaskPage>(&model.dialogs.back())) scroll(model, *page, lines);
    if (auto* text = std::get_if<TextPage>(&model.dialogs.back())) scroll(model, *text, lines);
    return;
  }
  // A page has the whole screen. A form would lose what was typed.
  bool const is_on_back = is_page(model.dialogs.back()) && event.at.y == model.size.rows - 1;
  if (event.what == What::press) model.pointer.presses_back = is_on_back;
  if (event.what != What::release || !std::exchange(model.pointer.presses_back, false) || !is_on_back) return;
  press_in_dialog(model, KeyPress{Key::escape}, effects);
}

}  // namespace

void use_mouse(Model& model, MouseEvent const& event, Effects& effects) {
  if (!model.options.mouse || event.modified || !event.is_left) {
    model.pointer = {};
    return;
  }
  if (model.dialogs.empty())
    use_on_board(model, event, effects);
  else
    use_in_dialog(model, event, effects);
}

}  // namespace andon::tui
