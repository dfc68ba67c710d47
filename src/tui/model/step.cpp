#include "tui/model/step.hpp"

#include "tui/model/board_keys.hpp"
#include "tui/model/dialog_keys.hpp"
#include "tui/model/layout.hpp"
#include "tui/model/mouse.hpp"
#include "tui/model/page_readings.hpp"
#include "tui/model/page_text.hpp"
#include "tui/model/replies.hpp"

namespace andon::tui {
namespace {

bool is_control(KeyPress const& key, std::string_view text) { return key.control && key.text == text; }

void take(Model& model, KeyPress&& key, Effects& effects) {
  if (is_control(key, "c")) return model.sent.clear(), effects.push_back(Quit{});
  if (is_control(key, "z")) return effects.push_back(Suspend{});
  model.notice = {};
  model.pointer = {};
  if (!model.dialogs.empty()) return press_in_dialog(model, key, effects);
  if (model.data.is_read)
    press_on_board(model, key, effects);
  else if (key.key == Key::escape || key.text == "q")
    effects.push_back(Quit{});
}

void take(Model& model, MouseEvent&& event, Effects& effects) {
  if (model.data.is_read) use_mouse(model, event, effects);
}

void take(Model& model, Paste&& paste, Effects&) { paste_in_dialog(model, paste.text); }

void take(Model& model, Resized&& size, Effects&) {
  model.size = size;
  if (!model.data.is_read) return;
  for (auto& dialog : model.dialogs)
    if (auto* text = std::get_if<TextPage>(&dialog)) scroll(model, *text, 0);
  show_selection(model);
}

void take(Model& model, Tick&&, Effects&) {
  // Reasons change with time: those in sight are asked for anew.
  model.data.asked.clear();
}

/// A busy board is one that cannot be reached, too.
bool tells_of_outage(Happening const& one) {
  auto const is_busy = [](auto const& answer) { return !answer && answer.error().code == core::Code::kBusy; };
  if (auto const* answered = std::get_if<Answered>(&one)) return is_busy(answered->answer);
  auto const* output = std::get_if<OutputRead>(&one);
  return output && is_busy(output->page);
}

/// A board of files is read at every change of them: that alone is no return.
bool tells_of_return(Model const& model, Happening const& one) {
  auto const* connection = std::get_if<Connection>(&one);
  return connection ? connection->trouble.empty()
                    : std::holds_alternative<BoardRead>(one) && !model.trouble.empty();
}

/// In a form that has opened again, the sentence says why it has, and stays.
void forget_outage(Model& model) {
  bool const is_in_form = !model.dialogs.empty() && !is_page(model.dialogs.back());
  if (model.notice.tells_of_outage && !is_in_form) model.notice = {};
}

/// Pages of tasks show what is known by now, whatever it was that changed.
void lay_out_task_pages(Model& model) {
  for (auto& dialog : model.dialogs)
    if (auto* page = std::get_if<TaskPage>(&dialog)) scroll(model, *page, 0);
}

}  // namespace

service::Card const* selected_card(Model const& model) {
  auto const& cards = model.data.cards;
  if (model.selection.column >= cards.columns()) return nullptr;
  auto const& rows = cards.rows(model.selection.column);
  return model.selection.row < rows.size() ? rows[model.selection.row] : nullptr;
}

core::BoardDisplay display_of(Model const& model) {
  return model.data.board.tui.value_or(core::BoardDisplay{});
}

Effects step(Model& model, Happening happening, core::Instant now) {
  model.now = now;
  ++model.drawn;
  Effects effects;
  if (tells_of_return(model, happening)) forget_outage(model);
  bool const is_outage = tells_of_outage(happening);
  auto const before = model.notice;
  std::visit([&](auto& one) { take(model, std::move(one), effects); }, happening);
  if (is_outage && model.notice != before) model.notice.tells_of_outage = true;
  lay_out_task_pages(model);
  if (!model.data.is_read) return effects;
  refresh_pages(model, effects);
  show_selection(model);  // cards grow with time and with what is learnt of them
  ask_for_reasons(model, effects);
  return effects;
}

}  // namespace andon::tui
