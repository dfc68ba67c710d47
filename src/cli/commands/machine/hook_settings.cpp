#include "cli/commands/machine/hook_settings.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include <boost/json/parse.hpp>

#include "api/operation.hpp"
#include "cli/commands/machine/json_children.hpp"
#include "reflect/json.hpp"

namespace andon::cli {
namespace {

namespace json = boost::json;
using core::Code;
using core::Result;

constexpr std::array kRows{
    HookRow{HookEvent::tool_used, "PostToolUse", "post-tool-use", true},
    HookRow{HookEvent::stop, "Stop", "stop", false},
    HookRow{HookEvent::session_end, "SessionEnd", "session-end", false},
};

constexpr std::string_view kMember = "hooks";
constexpr std::string_view kRun = "hooks run ";
/// The time in seconds after which Claude Code ends the command.
constexpr int kTimeout = 5;
constexpr reflect::JsonLimits kSettingsLimits{64, 100'000};

/// Whether the command line runs hooks of Andon, by whatever path.
bool runs_our_hooks(std::string_view command) {
  auto const blank = command.find(' ');
  if (blank == std::string_view::npos) return false;
  return std::filesystem::path{command.substr(0, blank)}.filename() == "andon" &&
         command.substr(blank + 1).starts_with(kRun);
}

bool is_ours(json::value const& hook) {
  auto const* object = hook.if_object();
  auto const* command = object ? object->if_contains("command") : nullptr;
  return command && command->is_string() &&
         runs_our_hooks({command->as_string().data(), command->as_string().size()});
}

json::object entry_of(HookRow const& row, std::string const& arguments) {
  json::object hook;
  hook["type"] = "command";
  // A missing program, or one of another version, must not disturb the agent either.
  hook["command"] = "andon " + std::string{kRun} + std::string{row.word} + arguments + " || true";
  hook["timeout"] = kTimeout;
  json::object entry;
  if (row.has_matcher) entry["matcher"] = "*";
  entry[kMember] = json::array{std::move(hook)};
  return entry;
}

std::unexpected<core::Error> unknown_form(std::string const& where, std::string const& what) {
  return core::refuse(Code::kInvalidInput, "\"" + where + "\" of the settings must be " + what, where);
}

/// Refuses settings whose hooks have a form in which nothing can be found or added.
Result<json::value> parsed(std::string_view settings) {
  ANDON_TRY(auto value, reflect::parse_json(settings, kSettingsLimits));
  auto const* root = value.if_object();
  if (!root) return core::refuse(Code::kInvalidInput, "the settings must be a JSON object");
  auto const* hooks = root->if_contains(kMember);
  if (!hooks) return value;
  if (!hooks->is_object()) return unknown_form("hooks", "an object");
  for (auto const& [event, entries] : hooks->as_object())
    if (!entries.is_array()) return unknown_form("hooks." + std::string{event}, "an array");
  return value;
}

std::optional<std::size_t> index_of(std::vector<JsonChild> const& children, std::string_view key) {
  auto const found = std::ranges::find(children, key, &JsonChild::key);
  if (found == children.end()) return std::nullopt;
  return static_cast<std::size_t>(found - children.begin());
}

/// Removes our hooks from the entry whose list begins there; whether that leaves the list empty.
bool erase_from_list(std::string& text, std::size_t list) {
  bool erased = false;
  auto hooks = json_children(text, list);
  for (auto i = hooks.size(); i-- > 0;) {
    if (!is_ours(json::parse(text.substr(hooks[i].begin, hooks[i].end - hooks[i].begin)))) continue;
    erase_json_child(text, list, i);
    erased = true;
  }
  return erased && json_children(text, list).empty();
}

/// Removes our hooks from the entries of one event; whether that leaves no entry.
bool erase_from_event(std::string& text, std::size_t entries) {
  bool erased = false;
  for (auto i = json_children(text, entries).size(); i-- > 0;) {
    auto const at = json_children(text, entries)[i].value;
    if (text[at] != '{') continue;
    auto const members = json_children(text, at);
    auto const list = index_of(members, kMember);
    if (!list || text[members[*list].value] != '[') continue;
    if (!erase_from_list(text, members[*list].value)) continue;
    erase_json_child(text, entries, i);
    erased = true;
  }
  return erased && json_children(text, entries).empty();
}

void erase_all(std::string& text) {
  auto const root = json_root(text);
  auto const members = json_children(text, root);
  auto const at = index_of(members, kMember);
  if (!at) return;
  auto const hooks = members[*at].value;
  bool erased = false;
  for (auto i = json_children(text, hooks).size(); i-- > 0;) {
    if (!erase_from_event(text, json_children(text, hooks)[i].value)) continue;
    erase_json_child(text, hooks, i);
    erased = true;
  }
  if (erased && json_children(text, hooks).empty()) erase_json_child(text, root, *at);
}

void append_all(std::string& text, std::string const& arguments) {
  auto const root = json_root(text);
  auto const at = index_of(json_children(text, root), kMember);
  if (!at) return append_json_child(text, root, kMember, hook_entries(arguments));
  for (auto const& row : kRows) {
    auto const hooks = json_children(text, root)[*at].value;
    auto const events = json_children(text, hooks);
    auto const entry = entry_of(row, arguments);
    if (auto const event = index_of(events, row.name))
      append_json_child(text, events[*event].value, {}, entry);
    else
      append_json_child(text, hooks, row.name, json::array{entry});
  }
}

/// Our hooks in the settings: pairs of event and entry.
json::array ours_in(json::value const& settings) {
  json::array out;
  auto const* hooks = settings.as_object().if_contains(kMember);
  if (!hooks) return out;
  for (auto const& [event, entries] : hooks->as_object())
    for (auto const& entry : entries.as_array()) {
      auto const* object = entry.if_object();
      auto const* list = object ? object->if_contains(kMember) : nullptr;
      if (list && list->is_array() &&
          std::ranges::any_of(list->as_array(), [](json::value const& hook) { return is_ours(hook); }))
        out.push_back(json::array{json::string(event), entry});
    }
  return out;
}

json::array wanted(std::string const& arguments) {
  json::array out;
  for (auto const& row : kRows) out.push_back(json::array{json::string(row.name), entry_of(row, arguments)});
  return out;
}

bool hold_the_same(json::array const& a, json::array const& b) {
  auto const has = [&](json::value const& one) { return std::ranges::find(b, one) != b.end(); };
  return a.size() == b.size() && std::ranges::all_of(a, has);
}

}  // namespace

std::span<HookRow const> hook_rows() { return kRows; }

std::optional<HookEvent> hook_event_of(std::string_view word) {
  auto const found = std::ranges::find(kRows, word, &HookRow::word);
  return found == kRows.end() ? std::nullopt : std::optional{found->event};
}

json::object hook_entries(std::string const& arguments) {
  json::object out;
  for (auto const& row : kRows) out[row.name] = json::array{entry_of(row, arguments)};
  return out;
}

Result<std::string> with_hooks(std::string settings, std::string const& arguments) {
  if (settings.find_first_not_of(" \t\r\n") == std::string::npos) settings = "{}\n";
  ANDON_TRY(auto const before, parsed(settings));
  if (hold_the_same(ours_in(before), wanted(arguments))) return settings;
  erase_all(settings);
  append_all(settings, arguments);
  return settings;
}

Result<std::string> without_hooks(std::string settings) {
  if (settings.find_first_not_of(" \t\r\n") == std::string::npos) return settings;
  ANDON_CHECK(parsed(settings));
  erase_all(settings);
  return settings;
}

}  // namespace andon::cli
