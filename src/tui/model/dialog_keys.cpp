#include "tui/model/dialog_keys.hpp"

#include <algorithm>
#include <utility>

#include "api/operation.hpp"
#include "core/text/visible_text.hpp"
#include "tui/model/attention.hpp"
#include "tui/model/board_keys.hpp"
#include "tui/model/page_text.hpp"
#include "tui/model/requests.hpp"

namespace andon::tui {
namespace {

bool is_character(KeyPress const& key, std::string_view text) {
  return key.key == Key::character && !key.control && !key.alt && key.text == text;
}

bool closes(KeyPress const& key) {
  return key.key == Key::escape || key.key == Key::backspace || is_character(key, "q");
}

/// The lines by which a key scrolls; nothing for other keys.
std::optional<int> lines_of(KeyPress const& key, int rows) {
  constexpr int kAll = 1 << 28;
  if (key.key == Key::down || is_character(key, "j")) return 1;
  if (key.key == Key::up || is_character(key, "k")) return -1;
  if (key.key == Key::page_down || is_character(key, " ")) return rows;
  if (key.key == Key::page_up) return -rows;
  if (key.key == Key::end || is_character(key, "G")) return kAll;
  if (key.key == Key::home || is_character(key, "g")) return -kAll;
  return std::nullopt;
}

/// The place in a list of so many to which a key goes.
std::size_t moved(std::size_t at, int by, std::size_t count) {
  auto const last = std::max<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(count) - 1, 0);
  return static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(at) + by, 0, last));
}

void close(Model& model) { model.dialogs.pop_back(); }

void press(Model& model, TaskPage& page, KeyPress const& key, Effects& effects) {
  if (closes(key)) return close(model);
  if (auto const by = lines_of(key, task_rows(model))) return scroll(model, page, *by);
  if (auto const* card = model.data.cards.find(page.task)) press_on_task(model, *card, key, effects);
}

void press(Model& model, TextPage& page, KeyPress const& key, Effects& effects) {
  if (page.kind == TextPage::Kind::help && !lines_of(key, 1)) return close(model);
  if (closes(key)) return close(model);
  if (auto const by = lines_of(key, page_rows(model))) return scroll(model, page, *by);
  auto const* card = model.data.cards.find(page.task);
  bool const has_task = page.kind == TextPage::Kind::output || page.kind == TextPage::Kind::diff;
  if (has_task && card) press_on_task(model, *card, key, effects);
}

void choose(Model& model, Picker const& picker, Effects& effects) {
  auto const word = picker.words[picker.at];
  auto const* card = model.data.cards.find(picker.task);
  if (picker.task == 0) {
    if (word != model.data.board.name) apply_filter(model, {});
    effects.push_back(ReadBoard{word});
  } else if (card && card->status != word) {
    effects.push_back(move_to(model, *card, word));
  }
  close(model);
}

void press(Model& model, Picker& picker, KeyPress const& key, Effects& effects) {
  if (key.key == Key::escape || is_character(key, "q")) return close(model);
  if (auto const by = lines_of(key, picker_rows(model, picker)))
    picker.at = moved(picker.at, *by, picker.words.size());
  if (key.key == Key::enter && !picker.words.empty()) choose(model, picker, effects);
}

/// Sends the form and closes it, so that the next keys are for the board. The changes of a task that is still
/// being read are sent after that.
void send(Model& model, TaskForm& form, Effects& effects) {
  if (form.title.text().find_first_not_of(' ') == std::string::npos) {
    model.notice = {"a task needs a title", true};
    form.step = 0;
    return;
  }
  bool const is_ready = form.edits == 0 || form.before;
  auto ask = is_ready ? save_form(model, form) : std::nullopt;
  close(model);
  if (is_ready && !ask) return;
  if (ask) effects.push_back(*std::move(ask));
  model.sent.push_back(std::move(form));
}

void press(Model& model, TaskForm& form, KeyPress const& key, Effects& effects) {
  if (key.key == Key::escape) return close(model);
  if (key.key == Key::tab || key.key == Key::back_tab) {
    form.step += key.key == Key::tab ? 1 : -1;
    form.step = std::clamp(form.step, 0, TaskForm::kSteps - 1);
    return;
  }
  // Enter saves from every step; a further line of the brief is Alt-Enter, Ctrl-J being Enter here.
  if (key.key == Key::enter && key.alt && form.step == 1) return void(form.body.insert("\n"));
  if (key.key == Key::enter) return send(model, form, effects);
  if (form.step == 0) form.title.take(key);
  if (form.step == 1) form.is_body_typed = form.body.take(key) || form.is_body_typed;
  if (form.step == 3) form.tags.take(key);
  if (form.step != 2) return;
  auto const most = model.data.board.priorities.size();
  bool const up = key.key == Key::up || key.key == Key::right || is_character(key, "k") ||
                  is_character(key, "+") || is_character(key, "l");
  bool const down = key.key == Key::down || key.key == Key::left || is_character(key, "j") ||
                    is_character(key, "-") || is_character(key, "h");
  if (up && form.priority + 1 < most) ++form.priority;
  if (down && form.priority > 0) --form.priority;
}

void press(Model& model, Confirmation& confirmation, KeyPress const& key, Effects& effects) {
  if (is_character(key, "y") || is_character(key, "Y")) {
    effects.push_back(std::move(confirmation.act));
    return close(model);
  }
  if (is_character(key, "n") || is_character(key, "N") || closes(key)) close(model);
}

void send(Model& model, TextPrompt& prompt, std::string const& text, Effects& effects) {
  if (text.find_first_not_of(" \n") == std::string::npos) {
    model.notice = {"type something first, or press esc", true};
    return;
  }
  prompt.ask.request[prompt.field] = text;
  effects.push_back(std::move(prompt.ask));
  close(model);
}

void press(Model& model, TextPrompt& prompt, KeyPress const& key, Effects& effects) {
  if (key.key == Key::escape) return close(model);
  if (key.key == Key::enter && key.alt) return void(prompt.text.insert("\n"));
  if (key.key == Key::enter) return send(model, prompt, prompt.text.text(), effects);
  // A digit chooses, as long as nothing was typed.
  bool const is_digit =
      key.key == Key::character && key.text.size() == 1 && key.text[0] >= '1' && key.text[0] <= '9';
  if (is_digit && prompt.text.is_empty()) {
    auto const choice = static_cast<std::size_t>(key.text[0] - '1');
    if (choice < prompt.choices.size())
      return send(model, prompt, std::string{prompt.choices[choice]}, effects);
  }
  prompt.text.take(key);
}

void press(Model& model, FilterLine& line, KeyPress const& key, Effects&) {
  if (key.key == Key::escape) {
    apply_filter(model, line.before);
    return close(model);
  }
  if (key.key == Key::enter) return close(model);
  if (key.key == Key::backspace && line.text.is_empty()) return close(model);
  if (line.text.take(key)) apply_filter(model, line.text.text());
}

void press(Model& model, Inbox& inbox, KeyPress const& key, Effects& effects) {
  if (closes(key) || is_character(key, "i")) return close(model);
  auto const items = attention_of(model.data);
  if (items.empty()) return;
  auto const found = std::ranges::find(items, inbox.task, &Attention::task);
  auto at = found == items.end() ? std::min(inbox.at, items.size() - 1)
                                 : static_cast<std::size_t>(found - items.begin());
  auto const by = lines_of(key, page_rows(model));
  if (by) at = moved(at, *by, items.size());
  inbox.at = at;
  inbox.task = items[at].task;
  if (by) return;
  if (key.key == Key::enter) return open_task(model, inbox.task);
  auto const* card = model.data.cards.find(inbox.task);
  if (card && key.key == Key::character) press_on_task(model, *card, key, effects);
}

/// The text that is being typed; none where nothing is.
TextField* field_of(Dialog& dialog) {
  if (auto* prompt = std::get_if<TextPrompt>(&dialog)) return &prompt->text;
  if (auto* line = std::get_if<FilterLine>(&dialog)) return &line->text;
  auto* form = std::get_if<TaskForm>(&dialog);
  if (!form || form->step == 2) return nullptr;
  return form->step == 0 ? &form->title : form->step == 1 ? &form->body : &form->tags;
}

}  // namespace

void press_in_dialog(Model& model, KeyPress const& key, Effects& effects) {
  // The list of dialogs may grow while one of them has the key, so the dialog is taken out meanwhile.
  auto& dialogs = model.dialogs;
  auto const depth = dialogs.size();
  auto top = std::exchange(dialogs.back(), Inbox{});
  std::visit([&](auto& dialog) { press(model, dialog, key, effects); }, top);
  if (dialogs.size() >= depth) dialogs[depth - 1] = std::move(top);
}

void paste_in_dialog(Model& model, std::string_view text) {
  auto* field = model.dialogs.empty() ? nullptr : field_of(model.dialogs.back());
  if (!field) return;
  model.notice = {};
  if (!field->insert(text)) {
    auto const limit = std::to_string(TextField::kLongest / 1024);
    model.notice = {"too long: a text may have " + limit + " KiB; nothing was pasted", true};
  } else if (auto* form = std::get_if<TaskForm>(&model.dialogs.back())) {
    form->is_body_typed = form->is_body_typed || form->step == 1;
  } else if (std::holds_alternative<FilterLine>(model.dialogs.back())) {
    apply_filter(model, field->text());
  }
}

void apply_filter(Model& model, std::string filter) {
  model.data.cards.set_filter(std::move(filter));
  model.data.cards.arrange();
  settle_selection(model);
}

/// A verdict on changes in sight is one on the task as it was read with them.
void begin_operation(Model& model, api::Operation const& operation, core::Task const& task,
                     Effects& effects) {
  Ask ask{Purpose::act, &operation, {{"id", task.id}}, task.id, std::string{operation.board_key.key}, {}};
  if (!model.dialogs.empty() && page_of_changes(model.dialogs.back(), task.id)) ask.rev = task.rev;
  auto const number = "#" + std::to_string(task.id);
  auto const title = number + ": " + core::visible_line(task.title);
  if (operation.board_key.asks.empty() && operation.effect != api::Effect::destroy)
    return effects.push_back(std::move(ask));
  auto const head = std::string{operation.summary.substr(0, operation.summary.find_first_of(";."))};
  if (operation.board_key.asks.empty()) {
    model.dialogs.push_back(Confirmation{head + "?", title, std::move(ask)});
    return;
  }
  TextPrompt prompt;
  prompt.title = head + ": " + number;
  prompt.question = task.question ? task.question->text : core::visible_line(task.title);
  prompt.field = std::string{operation.board_key.asks};
  if (task.question && verb_of(operation) == "answer") {
    prompt.choices = task.question->choices;
    ask.request["question"] = task.question->text;
  }
  prompt.ask = std::move(ask);
  model.dialogs.push_back(std::move(prompt));
}

}  // namespace andon::tui
