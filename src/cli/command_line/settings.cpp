#include "cli/command_line/settings.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>

#include <boost/json/serialize.hpp>

#include "cli/command_line/flags.hpp"
#include "core/model/board_title.hpp"
#include "reflect/json.hpp"

namespace andon::cli {
namespace {

namespace json = boost::json;
using core::Code;
using core::Result;

/// The version of kanban-md's configuration file. Every board is shown in the form of that version.
constexpr int kVersion = 11;

std::unexpected<core::Error> invalid(std::string message, std::string_view key) {
  return core::refuse(Code::kInvalidInput, std::move(message), std::string{key});
}

json::array names(auto const& items, auto name) {
  json::array out;
  for (auto const& item : items) out.emplace_back(std::string{std::invoke(name, item)});
  return out;
}

json::value as_json(auto const& described) {
  auto parsed = reflect::parse_json(reflect::to_json(described));
  return parsed ? *std::move(parsed) : json::value(nullptr);
}

core::BoardDisplay look(Settings const& s) { return s.board.tui.value_or(core::BoardDisplay{}); }

json::value limits(Settings const& s) {
  json::object out;
  std::vector<core::Column const*> limited;
  for (auto const& column : s.board.columns)
    if (column.wip_limit > 0) limited.push_back(&column);
  std::ranges::sort(limited, {}, &core::Column::name);
  for (auto const* column : limited) out[column->name] = column->wip_limit;
  return out;
}

std::string listed(json::array const& words) {
  std::string out;
  for (auto const& word : words) out += (out.empty() ? "" : ", ") + std::string{word.as_string()};
  return out;
}

/// A default must be one of the names the board has.
Result<json::object> default_of(std::string_view field, std::string_view what, json::array const& allowed,
                                std::string const& value) {
  if (std::ranges::find(allowed, json::value(value)) == allowed.end())
    return invalid("invalid default " + std::string{what} + " \"" + value + "\"; allowed: " + listed(allowed),
                   "defaults." + std::string{what});
  return json::object{{field, value}};
}

json::array status_names(Settings const& s) { return names(s.board.columns, &core::Column::name); }
json::array class_names(Settings const& s) { return names(s.board.classes, &core::ServiceClass::name); }
json::array priority_names(Settings const& s) { return names(s.board.priorities, std::identity{}); }

Result<json::object> set_claim_timeout(Settings const&, std::string const& value) {
  auto const span = parse_go_duration(value);
  if (!span || *span < core::Duration::zero())
    return invalid("invalid claim_timeout \"" + value + "\": write it as 90m or 1h30m; 0 never expires",
                   "claim_timeout");
  return json::object{{"claim_timeout", core::to_text(*span)}};
}

json::object with_look(core::BoardDisplay const& changed) { return {{"tui", as_json(changed)}}; }

Result<int> whole(std::string_view key, std::string const& value, int least, int most) {
  int n = 0;
  auto const [end, error] = std::from_chars(value.data(), value.data() + value.size(), n);
  if (error == std::errc{} && end == value.data() + value.size() && n >= least && n <= most) return n;
  return invalid("invalid " + std::string{key} + " \"" + value + "\": must be a whole number from " +
                     std::to_string(least) + (most < 1'000'000 ? " to " + std::to_string(most) : " up"),
                 key);
}

Result<json::object> set_title_lines(Settings const& s, std::string const& value) {
  auto changed = look(s);
  ANDON_SET(changed.title_lines, whole("tui.title_lines", value, 1, 3));
  return with_look(changed);
}

Result<json::object> set_narrow_threshold(Settings const& s, std::string const& value) {
  auto changed = look(s);
  ANDON_SET(changed.narrow_threshold, whole("tui.narrow_threshold", value, 0, 1'000'000));
  return with_look(changed);
}

Result<json::object> set_hide_empty(Settings const& s, std::string const& value) {
  auto const is_hidden = truth_of(value);
  if (!is_hidden)
    return invalid("invalid tui.hide_empty_columns \"" + value + "\": must be true or false",
                   "tui.hide_empty_columns");
  auto changed = look(s);
  changed.hide_empty_columns = *is_hidden;
  return with_look(changed);
}

Result<json::object> set_default_class(Settings const& s, std::string const& value) {
  if (value.empty()) return json::object{{"default_class", ""}};
  return default_of("default_class", "class", class_names(s), value);
}

Result<json::object> set_name(Settings const&, std::string const& value) {
  if (value.empty()) return invalid("invalid config: board.name is required", "board.name");
  return json::object{{"title", value}};
}

using S = Settings const&;
using V = std::string const&;

constexpr std::array kSettings{
    // clang-format off
    Setting{"version", [](S) -> json::value { return kVersion; }, nullptr},
    Setting{"board.name", [](S s) -> json::value { return json::string{core::title_of(s.board)}; },
            &set_name},
    Setting{"board.description", [](S s) -> json::value { return json::string{s.board.description}; },
            [](S, V v) -> Result<json::object> { return json::object{{"description", v}}; }},
    Setting{"tasks_dir", [](S s) -> json::value { return json::string{s.tasks_dir}; }, nullptr},
    Setting{"statuses", [](S s) -> json::value { return status_names(s); }, nullptr},
    Setting{"priorities", [](S s) -> json::value { return priority_names(s); }, nullptr},
    Setting{"defaults.status", [](S s) -> json::value { return json::string{s.board.default_status}; },
            [](S s, V v) { return default_of("default_status", "status", status_names(s), v); }},
    Setting{"defaults.priority", [](S s) -> json::value { return json::string{s.board.default_priority}; },
            [](S s, V v) { return default_of("default_priority", "priority", priority_names(s), v); }},
    Setting{"defaults.class", [](S s) -> json::value { return json::string{s.board.default_class}; },
            &set_default_class},
    Setting{"wip_limits", &limits, nullptr},
    Setting{"claim_timeout",
            [](S s) -> json::value { return json::string{core::to_text(s.board.claim_timeout)}; },
    &set_claim_timeout},
    Setting{"classes", [](S s) -> json::value { return as_json(s.board.classes); }, nullptr},
    Setting{"tui.title_lines", [](S s) -> json::value { return look(s).title_lines; }, &set_title_lines},
    Setting{"tui.hide_empty_columns", [](S s) -> json::value { return look(s).hide_empty_columns; },
            &set_hide_empty},
    Setting{"tui.narrow_threshold", [](S s) -> json::value { return look(s).narrow_threshold; },
            &set_narrow_threshold},
    Setting{"tui.age_thresholds", [](S s) -> json::value { return as_json(look(s).age_thresholds); },
            nullptr},
    Setting{"next_id", [](S s) -> json::value { return s.next_id; }, nullptr},
    // clang-format on
};

/// `name=expedite wip_limit=1`.
std::string item_text(json::object const& item) {
  std::string out;
  for (auto const& [key, value] : item)
    out += (out.empty() ? "" : " ") + std::string{key.data(), key.size()} + "=" + setting_text(value);
  return out;
}

std::string pairs_text(json::object const& pairs) {
  std::string out;
  for (auto const& [key, value] : pairs)
    out += (out.empty() ? "" : ", ") + std::string{key.data(), key.size()} + "=" + setting_text(value);
  return out.empty() ? "--" : out;
}

}  // namespace

std::span<Setting const> settings() { return kSettings; }

Result<Setting const*> setting_named(std::string_view key) {
  auto const found = std::ranges::find(kSettings, key, &Setting::key);
  if (found != kSettings.end()) return &*found;
  return invalid("unknown config key \"" + std::string{key} + "\"", "key");
}

std::string setting_text(json::value const& value) {
  if (auto const* text = value.if_string()) return {text->data(), text->size()};
  if (auto const* pairs = value.if_object()) return pairs_text(*pairs);
  auto const* items = value.if_array();
  if (!items) return json::serialize(value);
  std::string out;
  for (auto const& item : *items)
    out += (out.empty() ? "" : ", ") + (item.is_object() ? item_text(item.get_object()) : setting_text(item));
  return out;
}

std::optional<core::Duration> parse_go_duration(std::string_view text) {
  if (text == "0") return core::Duration::zero();
  bool const has_unit = !text.empty() && text.find_first_not_of("0123456789.") != std::string_view::npos;
  if (!has_unit || text.find_first_not_of("0123456789.hmsuµn") != std::string_view::npos) return std::nullopt;
  return core::parse_duration(text);
}

}  // namespace andon::cli
