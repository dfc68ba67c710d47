#include "cli/views/change_views.hpp"

#include <algorithm>
#include <array>

#include <boost/json/serialize.hpp>

#include "cli/command_line/safe_text.hpp"

namespace andon::cli {
namespace {

namespace json = boost::json;
using service::FieldChange;
using service::TeamAction;
using service::TeamChange;

constexpr std::size_t kLongestValue = 60;
constexpr std::size_t kLongestList = 100;

/// The form of an action: the sign before it, its colour (SGR), and the words for done and for planned.
struct Look {
  std::string_view sign, colour, done, would;
};
constexpr std::array<Look, 4> kLooks{{{"+", "32", "created", "create"},
                                      {"~", "33", "changed", "change"},
                                      {"-", "31", "removed", "remove"},
                                      {"=", "2", "kept", "keep"}}};

Look const& look_of(TeamAction action) { return kLooks[static_cast<std::size_t>(action)]; }

std::string shown(json::value const& value);

/// `stage active, wip_limit 5`: without the name, which stands before it, and without what is off.
std::string members_of(json::object const& object) {
  std::string out;
  auto const* name = object.if_contains("name");
  for (auto const& [key, value] : object) {
    bool const is_name = key == "name" || (name && key == "title" && value == *name);
    if (is_name || (value.is_bool() && !value.get_bool())) continue;
    out.append(out.empty() ? "" : ", ").append(key).append(" ").append(shown(value));
  }
  return out;
}

std::string shown(json::value const& value) {
  if (value.is_null()) return "--";
  if (auto const* text = value.if_string()) {
    std::string_view const view{text->data(), text->size()};
    auto const lines = std::ranges::count(view, '\n');
    if (lines > 1) return "(" + std::to_string(lines) + " lines)";
    return view.empty() ? "--" : one_line(view);
  }
  if (auto const* object = value.if_object()) return members_of(*object);
  auto const* items = value.if_array();
  if (!items) return json::serialize(value);
  std::string out;
  for (auto const& item : *items) out += (out.empty() ? "" : ", ") + shown(item);
  return out.empty() ? "--" : out;
}

json::value const* made_with(TeamChange const& change, std::string_view field) {
  auto const found = std::ranges::find(change.fields, field, &FieldChange::field);
  return found == change.fields.end() ? nullptr : &found->to;
}

std::string column_names(json::value const& columns) {
  std::string out;
  for (auto const& column : columns.as_array())
    out += (out.empty() ? "" : ", ") + shown(column.as_object().at("name"));
  return out;
}

/// The most important facts of a new object.
std::string facts_of(TeamChange const& change) {
  std::string out;
  for (std::string_view const field :
       {"title", "template", "role", "agent", "model", "board", "cron", "after"})
    if (auto const* value = made_with(change, field)) {
      auto const text = shown(*value);
      if (text == "--" || text == change.name) continue;
      out += (out.empty() ? "" : ", ") + (field == "title" ? text : std::string{field} + " " + text);
    }
  if (auto const* columns = made_with(change, "columns"))
    out += "\n    " + cut(column_names(*columns), kLongestList);
  return out;
}

std::string field_lines(TeamChange const& change, Screen const& screen) {
  std::size_t width = 0;
  for (auto const& field : change.fields) width = std::max(width, cells(one_line(field.field)));
  std::string out;
  for (auto const& field : change.fields) {
    auto const name = "    " + padded(one_line(field.field), width + 2);
    if (field.from.is_null())
      out += name + screen.painted("new: " + cut(shown(field.to), kLongestList), "32");
    else if (field.to.is_null())
      out += name + screen.painted("gone: " + cut(shown(field.from), kLongestList), "31");
    else
      out += name + cut(shown(field.from), kLongestValue) + " -> " + cut(shown(field.to), kLongestValue);
    out += "\n";
  }
  return out;
}

std::string change_lines(TeamChange const& change, Screen const& screen) {
  auto const& look = look_of(change.action);
  auto const head = std::string{look.sign} + " " + change.what + " " + one_line(change.name);
  auto out = screen.painted(head, look.colour);
  if (change.action == TeamAction::keep) return out + " stays: " + one_line(change.reason) + "\n";
  if (change.action == TeamAction::change) return out + "\n" + field_lines(change, screen);
  auto const facts = change.action == TeamAction::create ? facts_of(change) : "";
  return out + (facts.empty() || facts.starts_with('\n') ? facts : "  " + facts) + "\n";
}

/// `3 created, 1 changed.` or `Would create 3, change 1. Nothing was written.`
std::string sum(service::TeamChanges const& changes, bool dry_run) {
  std::string out;
  for (std::size_t i = 0; i < kLooks.size(); ++i) {
    auto const n = std::ranges::count(changes.changes, static_cast<TeamAction>(i), &TeamChange::action);
    if (n == 0) continue;
    auto const number = std::to_string(n);
    auto const& look = kLooks[i];
    out += out.empty() ? "" : ", ";
    out += dry_run ? std::string{look.would} + " " + number : number + " " + std::string{look.done};
  }
  return dry_run ? "Would " + out + ". Nothing was written.\n" : out + ".\n";
}

}  // namespace

std::string change_page(service::TeamChanges const& changes, bool dry_run, Screen const& screen) {
  if (changes.changes.empty()) return "Nothing to change.\n";
  std::string out;
  for (auto const& change : changes.changes) out += change_lines(change, screen);
  return out + (screen.is_compact() ? "" : "\n") + sum(changes, dry_run);
}

}  // namespace andon::cli
