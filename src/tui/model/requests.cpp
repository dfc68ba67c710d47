#include "tui/model/requests.hpp"

#include "core/text/visible_text.hpp"
#include "service/tasks/create.hpp"
#include "service/tasks/edit.hpp"
#include "service/tasks/move.hpp"
#include "service/tasks/tasks.hpp"

namespace andon::tui {
namespace {

namespace json = boost::json;

bool requires_claim(core::Board const& board, std::string_view status) {
  for (auto const& column : board.columns)
    if (column.name == status) return column.require_claim;
  return false;
}

/// On a board of files everybody acts under a name, and a move keeps the claim of whoever holds the task. A
/// server knows the caller, and decides about the claims of others itself.
void sign(Model const& model, json::object& request, std::string_view holder = {}) {
  if (!model.data.is_live)
    request["claim"] = holder.empty() ? std::string_view{model.options.own_name} : holder;
}

json::array array_of(std::vector<std::string> const& texts) {
  json::array out;
  for (auto const& text : texts) out.emplace_back(text);
  return out;
}

std::string_view priority_of(Model const& model, std::size_t place) {
  auto const& names = model.data.board.priorities;
  return place < names.size() ? std::string_view{names[place]} : std::string_view{};
}

}  // namespace

Ask move_to(Model const& model, service::Card const& card, std::string_view status) {
  json::object request{{"id", card.id}, {"status", status}};
  if (!card.claimed_by.empty() || requires_claim(model.data.board, status))
    sign(model, request, card.claimed_by);
  return ask_for<&service::move_task>(Purpose::act, std::move(request), card.id);
}

Ask set_priority(Model const& model, service::Card const& card, std::string_view priority) {
  json::object request{{"id", card.id}, {"priority", priority}};
  sign(model, request, card.claimed_by);
  return ask_for<&service::edit_task>(Purpose::act, std::move(request), card.id);
}

Ask delete_task(Model const& model, service::Card const& card) {
  json::object request{{"id", card.id}};
  sign(model, request);
  return ask_for<&service::delete_task>(Purpose::act, std::move(request), card.id);
}

std::optional<Ask> save_form(Model const& model, TaskForm const& form) {
  auto const tags = tags_in(form.tags.text());
  auto const priority = priority_of(model, form.priority);
  if (form.edits == 0) {
    json::object request{{"title", form.title.text()},
                         {"board", model.data.board.name},
                         {"status", form.status},
                         {"body", form.body.text()},
                         {"tags", array_of(tags)}};
    if (!priority.empty()) request["priority"] = priority;
    if (requires_claim(model.data.board, form.status)) sign(model, request);
    return ask_for<&service::create_task>(Purpose::create, std::move(request));
  }
  // A title and tags are typed in the form in which they are shown.
  auto const& before = *form.before;
  json::object request{{"id", form.edits}};
  if (form.title.text() != core::visible_line(before.title)) request["title"] = form.title.text();
  if (form.body.text() != before.body) request["body"] = form.body.text();
  if (!priority.empty() && priority != before.priority) request["priority"] = priority;
  if (tags != tags_in(tags_text(before.tags))) request["tags"] = array_of(tags);
  if (request.size() == 1) return std::nullopt;
  sign(model, request);
  auto ask = ask_for<&service::edit_task>(Purpose::create, std::move(request), form.edits);
  ask.rev = before.rev;
  return ask;
}

Ask read_task(Purpose purpose, core::TaskId task) {
  return ask_for<&service::get_task>(purpose, {{"id", task}}, task);
}

std::vector<std::string> tags_in(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    auto const end = std::min(text.find(','), text.size());
    auto tag = text.substr(0, end);
    text.remove_prefix(std::min(text.size(), end + 1));
    while (tag.starts_with(' ')) tag.remove_prefix(1);
    while (tag.ends_with(' ')) tag.remove_suffix(1);
    if (!tag.empty()) out.emplace_back(tag);
  }
  return out;
}

std::string tags_text(std::vector<std::string> const& tags) {
  std::string out;
  for (auto const& tag : tags) out += (out.empty() ? "" : ",") + tag;
  return out;
}

}  // namespace andon::tui
