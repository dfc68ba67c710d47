#include <algorithm>
#include <array>

#include "cli/invocation.hpp"
#include "cli/safe_text.hpp"
#include "cli/table.hpp"
#include "cli/works.hpp"
#include "service/history.hpp"

namespace andon::cli {
namespace {

namespace json = boost::json;
using core::Code;
using core::EventKind;
using core::Result;

/// kanban-md's word for what happened.
struct Action {
  EventKind kind;
  std::string_view word;
};
constexpr std::array kActions{
    Action{EventKind::task_created, "create"},    Action{EventKind::task_moved, "move"},
    Action{EventKind::task_edited, "edit"},       Action{EventKind::task_blocked, "block"},
    Action{EventKind::task_unblocked, "unblock"}, Action{EventKind::task_claimed, "claim"},
    Action{EventKind::task_released, "release"},  Action{EventKind::task_submitted, "handoff"},
    Action{EventKind::task_deleted, "delete"},
};

std::string action_of(std::string const& kind) {
  for (auto const& row : kActions)
    if (core::kEventKindNames[static_cast<std::size_t>(row.kind)] == kind) return std::string{row.word};
  return kind;
}

Result<std::string> kind_of(std::string const& action) {
  for (auto const& row : kActions)
    if (row.word == action) return std::string{core::kEventKindNames[static_cast<std::size_t>(row.kind)]};
  auto const names = std::span{core::kEventKindNames};
  if (std::ranges::find(names, std::string_view{action}) != names.end()) return action;
  if (std::ranges::find(names, std::string_view{"task." + action}) != names.end()) return "task." + action;
  return core::refuse(Code::kInvalidInput, "unknown action \"" + action + "\"", "action");
}

Result<core::Instant> moment_of(std::string const& text, core::Instant now) {
  if (auto const date = core::parse_date(text)) return core::Instant{date->day};
  if (auto const at = core::parse_instant(text)) return *at;
  if (auto const span = core::parse_duration(text)) return now - *span;
  return core::refuse(
      core::Error{Code::kInvalidDate, "invalid date \"" + text + "\": expected YYYY-MM-DD", "since", {}, {}}
          .with("field", "since")
          .with("input", text));
}

std::string detail_of(json::object const& event) {
  auto const from = text_of(event, "from"), to = text_of(event, "to");
  if (!from.empty() && !to.empty() && from != to) return from + " -> " + to;
  auto const* data = event.if_contains("data");
  if (!data || !data->is_object()) return to;
  for (auto const* name : {"reason", "by", "title", "text"})
    if (auto text = text_of(data->get_object(), name); !text.empty()) return text;
  return to;
}

/// kanban-md's keys first, then the event's own.
json::object entry_of(json::object const& event) {
  json::object out{{"timestamp", event.at("ts")}, {"action", action_of(text_of(event, "kind"))}};
  out["task_id"] = event.contains("task") ? event.at("task") : json::value(0);
  out["detail"] = detail_of(event);
  for (auto const* name : {"seq", "actor", "kind", "board", "run", "from", "to", "data"})
    if (auto const* value = event.if_contains(name)) out[name] = *value;
  return out;
}

std::string second_of(json::object const& entry) {
  auto text = text_of(entry, "timestamp").substr(0, 19);
  if (text.size() > 10) text[10] = ' ';
  return text;
}

std::string text_view(json::array const& entries, Screen const& screen) {
  Table table({{"TIMESTAMP", 21, 0}, {"ACTION", 0, 0}, {"TASK", 0, 0}, {"ACTOR", 0, 0}, {"DETAIL", 0, 80}});
  std::string lines;
  for (auto const& value : entries) {
    auto const& e = value.as_object();
    auto const task = text_of(e, "task_id") == "0" ? "" : "#" + text_of(e, "task_id");
    table.add({second_of(e), text_of(e, "action"), task, text_of(e, "actor"), text_of(e, "detail")});
    lines += one_line(second_of(e) + " " + text_of(e, "action") + (task.empty() ? "" : " " + task) + " " +
                      text_of(e, "detail")) +
             "\n";
  }
  if (screen.is_compact()) return lines;
  return screen.colour() ? table.text("\x1b[1m", "\x1b[0m") : table.text();
}

}  // namespace

Result<Done> show_log(Invocation& in, json::object request) {
  auto const& given = in.given();
  if (auto const since = given.value("since")) {
    ANDON_TRY(auto const at, moment_of(*since, in.env().clock.now()));
    request["after"] = core::to_text(at);
  }
  if (auto const action = given.value("action")) ANDON_SET(request["kind"], kind_of(*action));
  auto const limit = given.value("limit");
  if (limit) request["limit"] = std::strtoll(limit->c_str(), nullptr, 10);
  if (limit) request["newest"] = true;
  json::array entries;
  for (;;) {
    ANDON_TRY(auto const answer, in.call("list_events", request));
    for (auto const& event : answer.at("items").as_array()) entries.push_back(entry_of(event.as_object()));
    auto const next = text_of(answer.as_object(), "next");
    if (next.empty() || limit) break;
    request["since"] = next;
  }
  auto text = in.screen().is_json() ? std::string{} : text_view(entries, in.screen());
  if (entries.empty() && !in.screen().is_json()) {
    in.screen().tell("No log entries found.");
    text.clear();
  }
  return Done{json::object{{"items", std::move(entries)}}, std::move(text)};
}

}  // namespace andon::cli
