#include "tui/model/sent_forms.hpp"

#include <algorithm>

#include "core/text/visible_text.hpp"
#include "tui/model/requests.hpp"

namespace andon::tui {
namespace {

constexpr int kMostConflicts = 5;

/// Gives the form its task. A brief that was typed meanwhile stays.
void begin_with(TaskForm& form, core::Task const& task) {
  form.before = task;
  auto& body = form.before->body;
  while (body.ends_with('\n')) body.pop_back();
  if (!form.is_body_typed) form.body = TextField{body, true};
}

/// Takes over what others changed in a text that the person left alone. True when both changed it.
bool merge(TextField& mine, std::string const& before, std::string const& now, bool has_lines) {
  if (mine.text() == before) {
    mine = TextField{now, has_lines};
    return false;
  }
  return now != before && now != mine.text();
}

/// Puts the form on the task as it is now. The answer names the fields that both sides changed.
std::string rebase(Model const& model, TaskForm& form, core::Task const& now) {
  auto const before = *form.before;
  std::string both;
  auto const note = [&](bool is_conflict, std::string_view name) {
    if (is_conflict) both += (both.empty() ? "" : ", ") + std::string{name};
  };
  form.before = now;
  auto& body = form.before->body;
  while (body.ends_with('\n')) body.pop_back();
  note(merge(form.title, core::visible_line(before.title), core::visible_line(now.title), false), "title");
  note(merge(form.body, before.body, body, true), "brief");
  note(merge(form.tags, tags_text(before.tags), tags_text(now.tags), false), "tags");
  auto const& names = model.data.board.priorities;
  auto const place = [&](std::string const& name) {
    return static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
  };
  if (form.priority == place(before.priority))
    form.priority = place(now.priority);
  else
    note(now.priority != before.priority && form.priority != place(now.priority), "priority");
  return both;
}

/// Sends a form whose task had to be read first, or had changed meanwhile.
void send_again(Model& model, core::Task const& task, Effects& effects) {
  auto const sent = std::ranges::find(model.sent, task.id, &TaskForm::edits);
  if (sent == model.sent.end() || (sent->before && !sent->is_outdated)) return;
  sent->is_outdated = false;
  if (!sent->before) {
    begin_with(*sent, task);
  } else if (auto const both = rebase(model, *sent, task); !both.empty()) {
    model.notice = {"#" + std::to_string(task.id) + " was changed by somebody else, too (" + both +
                        "): enter keeps yours, esc theirs",
                    true};
    return reopen_form(model, task.id);
  }
  if (auto ask = save_form(model, *sent))
    effects.push_back(*std::move(ask));
  else
    model.sent.erase(sent);
}

}  // namespace

std::optional<TaskForm> take_sent(Model& model, core::TaskId task) {
  auto const found = std::ranges::find(model.sent, task, &TaskForm::edits);
  if (found == model.sent.end()) return std::nullopt;
  auto form = std::move(*found);
  model.sent.erase(found);
  return form;
}

void reopen_form(Model& model, core::TaskId task) {
  if (auto form = take_sent(model, task)) model.dialogs.push_back(*std::move(form));
}

void fill_forms(Model& model, core::Task const& task, Effects& effects) {
  for (auto& dialog : model.dialogs)
    if (auto* form = std::get_if<TaskForm>(&dialog); form && form->edits == task.id && !form->before)
      begin_with(*form, task);
  send_again(model, task, effects);
}

bool retry_edit(Model& model, Ask const& ask, core::Error const& error, Effects& effects) {
  if (ask.purpose != Purpose::create || ask.task == 0 || error.code != core::Code::kRevMismatch) return false;
  auto const sent = std::ranges::find(model.sent, ask.task, &TaskForm::edits);
  if (sent == model.sent.end() || !sent->before || ++sent->conflicts > kMostConflicts) return false;
  sent->is_outdated = true;
  effects.push_back(read_task(Purpose::task, ask.task));
  return true;
}

}  // namespace andon::tui
