#include <array>

#include "cli/import/import_file.hpp"
#include "core/text/ascii.hpp"
#include "core/text/names.hpp"
#include "core/text/visible_text.hpp"
#include "core/time/time.hpp"

namespace andon::cli {
namespace {

namespace json = boost::json;
using core::Code;
using core::Result;

Result<json::array const*> tasks_in(json::value const& list, std::string const& name) {
  auto const* object = list.if_object();
  auto const* items = object ? object->if_contains("items") : &list;
  if (!items || !items->is_array())
    return core::refuse(Code::kInvalidInput, name + ": this is no list of tasks");
  return &items->get_array();
}

std::string place(std::string const& name, std::size_t index) {
  return name + " item " + std::to_string(index + 1);
}

json::value const* member(json::object const& object, std::initializer_list<std::string_view> names) {
  for (auto const name : names)
    if (auto const* value = object.if_contains({name.data(), name.size()}); value && !value->is_null())
      return value;
  return nullptr;
}

/// The texts that the objects of a list have under a name; texts themselves count too.
json::array texts_of(json::value const* list, std::string_view under) {
  json::array out;
  if (!list || !list->is_array()) return out;
  for (auto const& item : list->get_array()) {
    auto const* object = item.if_object();
    auto const* text = object ? object->if_contains({under.data(), under.size()}) : &item;
    if (text && text->is_string()) out.push_back(*text);
  }
  return out;
}

/// The members of a GitHub issue that a board cannot store.
constexpr std::array<std::string_view, 2> kMissed{"comments", "projectItems"};

class Issue {
 public:
  Issue(ImportFile& file, std::string place, json::object const& issue)
      : issue_(issue), row_(file, std::move(place)) {}

  void read() {
    if (issue_.contains("pull_request")) return row_.remark("it is a pull request; left out");
    for (auto const* field : {"number", "title"})
      if (auto const* value = issue_.if_contains(field)) row_.take(field, *value);
    read_state();
    row_.take("body", json::value(body()));
    row_.take("labels", texts_of(member(issue_, {"labels"}), "name"));
    row_.take("assignees", texts_of(member(issue_, {"assignees"}), "login"));
    if (auto const* at = member(issue_, {"createdAt", "created_at"})) row_.take("created", *at);
    if (auto const* at = member(issue_, {"closedAt", "closed_at"})) row_.take("completed", *at);
    read_milestone();
    for (auto const field : kMissed)
      if (auto const* list = member(issue_, {field}); list && list->is_array() && !list->get_array().empty())
        row_.remark("\"" + std::string{field} + "\" have no place on a board; left out");
    row_.add();
  }

 private:
  void read_state() {
    auto const* state = member(issue_, {"state"});
    auto const* text = state ? state->if_string() : nullptr;
    auto const named = text ? core::ascii_lower(std::string_view{text->data(), text->size()}) : "";
    if (named == "closed") return row_.put("stage", "done");
    if (named == "open" || !state || state->is_null()) return;
    constexpr std::size_t kLongestState = 50;
    auto const said = core::visible_line(json::serialize(*state));
    row_.remark("its state " + std::string{core::beginning(said, kLongestState)} +
                " is neither open nor closed; taken as open");
  }

  std::string body() const {
    auto const* body = member(issue_, {"body"});
    auto const* url = member(issue_, {"html_url", "url"});
    std::string out = body && body->is_string() ? std::string{body->get_string()} : "";
    if (url && url->is_string())
      out.append(out.empty() ? "" : "\n\n").append("Imported from ").append(url->get_string()).append("\n");
    return out;
  }

  void read_milestone() {
    auto const* milestone = member(issue_, {"milestone"});
    auto const* object = milestone ? milestone->if_object() : nullptr;
    if (!object) return;
    if (auto const* due = member(*object, {"dueOn", "due_on"})) row_.take("due", *due);
    if (auto const* title = member(*object, {"title"}); title && title->is_string())
      row_.take("tags", json::array{*title});
  }

  json::object const& issue_;
  ImportRow row_;
};

}  // namespace

Result<ImportFile> import_task_list(json::value const& list, std::string const& name) {
  ANDON_TRY(auto const* items, tasks_in(list, name));
  ImportFile out{"json", {}, {}};
  for (std::size_t i = 0; i < items->size(); ++i) {
    auto const* task = items->at(i).if_object();
    if (!task) return core::refuse(Code::kInvalidInput, place(name, i) + ": a task must be an object");
    ImportRow row(out, place(name, i));
    for (auto const& [field, value] : *task) row.take(field, value);
    row.add();
  }
  return out;
}

Result<ImportFile> import_github(json::value const& list, std::string const& name) {
  ANDON_TRY(auto const* items, tasks_in(list, name));
  ImportFile out{"github", {}, {}};
  for (std::size_t i = 0; i < items->size(); ++i) {
    auto const* issue = items->at(i).if_object();
    if (!issue) return core::refuse(Code::kInvalidInput, place(name, i) + ": an issue must be an object");
    Issue(out, place(name, i), *issue).read();
  }
  return out;
}

}  // namespace andon::cli
