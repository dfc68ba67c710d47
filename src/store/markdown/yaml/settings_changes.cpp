#include <algorithm>

#include <boost/json/serialize.hpp>

#include "core/boards/column_stages.hpp"
#include "core/boards/templates.hpp"
#include "core/model/board_title.hpp"
#include "core/text/names.hpp"
#include "reflect/yaml.hpp"
#include "store/markdown/yaml/board_settings.hpp"
#include "store/markdown/yaml/scalar.hpp"
#include "store/markdown/yaml/settings_parts.hpp"

namespace andon::store::markdown {
namespace {

using core::Board;
using core::Column;
using reflect::YamlNode;

std::string shows_text(Column const& column) {
  if (!column.show_duration) return {};
  return *column.show_duration ? "true" : "false";
}

std::string status_lines(Board const& board) {
  std::vector<std::string> names;
  for (auto const& column : board.columns) names.push_back(column.name);
  std::string out = "statuses:\n";
  for (std::size_t i = 0; i < names.size(); ++i) {
    auto const& column = board.columns[i];
    out += "    - name: " + yaml_text(column.name) + "\n";
    if (column.require_claim) out += "      require_claim: true\n";
    if (column.stage != core::stage_by_name(names, i))
      out += "      stage: " + std::string{core::to_text(column.stage)} + "\n";
    if (!column.title.empty() && !core::same_name(column.title, column.name))
      out += "      title: " + yaml_text(column.title) + "\n";
    if (!column.holds_back.empty()) out += "      holds_back: " + yaml_text(column.holds_back) + "\n";
    if (auto const shows = shows_text(column); !shows.empty()) out += "      show_duration: " + shows + "\n";
  }
  return out;
}

std::string class_lines(Board const& board) {
  std::string out = "classes:\n";
  for (auto const& each : board.classes) {
    out += "    - name: " + yaml_text(each.name) + "\n";
    if (each.wip_limit > 0) out += "      wip_limit: " + std::to_string(each.wip_limit) + "\n";
    if (each.bypass_column_wip) out += "      bypass_column_wip: true\n";
    if (each.share > 0) out += "      share: " + std::to_string(each.share) + "\n";
  }
  return out;
}

std::string list_lines(std::string const& key, std::vector<std::string> const& items) {
  auto out = key + ":\n";
  for (auto const& item : items) out += "    - " + yaml_text(item) + "\n";
  return out;
}

void set_or_remove(SettingsFile& file, Path const& path, std::string const& text) {
  if (text.empty())
    file.remove(path);
  else
    file.set_text(path, text);
}

/// Gives a key a word, or removes the key when the word is empty.
void put(SettingsFile& file, Path const& path, std::string const& word) {
  if (word.empty())
    file.remove(path);
  else
    file.set(path, word);
}

enum class Form { text, map };

/// The former item of each new name in a list. When equally many names are removed and added, they are taken
/// as renamed.
std::vector<SettingsFile::Item> items_for(YamlNode const* list, std::vector<std::string> const& was,
                                          std::vector<std::string> const& is) {
  std::vector<std::size_t> gone;
  for (std::size_t i = 0; i < was.size(); ++i)
    if (!contains(is, was[i])) gone.push_back(i);
  auto const fresh = std::ranges::count_if(is, [&](auto const& name) { return !contains(was, name); });
  bool const are_renamed = static_cast<std::size_t>(fresh) == gone.size();
  std::vector<SettingsFile::Item> out;
  std::size_t next = 0;
  for (auto const& name : is) {
    auto const known = std::ranges::find(was, name);
    if (known != was.end())
      out.push_back({.known = static_cast<std::size_t>(known - was.begin())});
    else if (are_renamed && list->items[gone[next++]].kind == YamlNode::Kind::map)
      out.push_back({.known = gone[next - 1]});
    else
      out.push_back({.text = yaml_item(name)});
  }
  return out;
}

/// Replaces the names in a list of named items. Other members of the items that stay are kept.
void write_names(SettingsFile& file, std::string const& key, std::vector<std::string> const& names,
                 Form form) {
  auto const was = names_in(file, key);
  if (was == names) return;
  auto const items = items_for(file.find({key}), was, names);
  file.arrange(key, items);
  for (std::size_t i = 0; i < items.size(); ++i) {
    auto const item = std::to_string(i);
    if (items[i].known && was[*items[i].known] != names[i]) file.set_text({key, item, "name"}, names[i]);
    if (!items[i].known && form == Form::map) file.name_item({key, item});
  }
}

void say(SettingsFile& file, Path const& item, std::string const& key, std::string const& word) {
  if (!word.empty()) file.name_item(item);
  put(file, {item[0], item[1], key}, word);
}

std::string quoted(std::string const& text) { return text.empty() ? text : yaml_item(text); }
std::string flag(bool is) { return is ? "true" : ""; }
std::string count(int number) { return number > 0 ? std::to_string(number) : ""; }

std::string shown_title(Column const& column) {
  return core::same_name(column.title, column.name) ? "" : column.title;
}

void write_statuses(SettingsFile& file, Board const& is) {
  std::vector<std::string> names;
  for (auto const& column : is.columns) names.push_back(column.name);
  write_names(file, "statuses", names, Form::map);
  auto const there = columns_in(file);
  for (std::size_t i = 0; i < names.size(); ++i) {
    auto const &before = there[i], &now = is.columns[i];
    Path const item{"statuses", std::to_string(i)};
    if (before.require_claim != now.require_claim) say(file, item, "require_claim", flag(now.require_claim));
    if (before.stage != now.stage)
      say(file, item, "stage",
          now.stage == core::stage_by_name(names, i) ? "" : std::string{core::to_text(now.stage)});
    if (shown_title(before) != shown_title(now)) say(file, item, "title", quoted(shown_title(now)));
    if (before.holds_back != now.holds_back) say(file, item, "holds_back", quoted(now.holds_back));
    if (before.show_duration != now.show_duration) say(file, item, "show_duration", shows_text(now));
  }
}

void write_classes(SettingsFile& file, Board const& is) {
  if (is.classes.empty()) return file.remove({"classes"});
  std::vector<std::string> names;
  for (auto const& each : is.classes) names.push_back(each.name);
  write_names(file, "classes", names, Form::map);
  auto const there = classes_in(file);
  for (std::size_t i = 0; i < names.size(); ++i) {
    auto const &before = there[i], &now = is.classes[i];
    Path const item{"classes", std::to_string(i)};
    if (before.wip_limit != now.wip_limit) say(file, item, "wip_limit", count(now.wip_limit));
    if (before.bypass_column_wip != now.bypass_column_wip)
      say(file, item, "bypass_column_wip", flag(now.bypass_column_wip));
    if (before.share != now.share) say(file, item, "share", count(now.share));
  }
}

std::string look_lines(core::BoardDisplay const& look) {
  auto out = "tui:\n    title_lines: " + std::to_string(look.title_lines) + "\n    age_thresholds:\n";
  for (auto const& threshold : look.age_thresholds)
    out += "        - after: " + core::to_text(threshold.after) + "\n          color: \"" + threshold.color +
           "\"\n";
  if (look.age_thresholds.empty()) out.replace(out.rfind('\n'), 1, " []\n");
  if (look.hide_empty_columns) out += "    hide_empty_columns: true\n";
  if (look.narrow_threshold > 0)
    out += "    narrow_threshold: " + std::to_string(look.narrow_threshold) + "\n";
  return out;
}

bool have_same_thresholds(core::BoardDisplay const& a, core::BoardDisplay const& b) {
  return std::ranges::equal(a.age_thresholds, b.age_thresholds, [](auto const& one, auto const& other) {
    return one.after == other.after && one.color == other.color;
  });
}

/// Writes single values when the age thresholds are unchanged, otherwise the whole `tui` part.
void write_look(SettingsFile& file, Board const& was, Board const& is) {
  if (!is.tui) return;
  auto const &before = was.tui.value_or(core::BoardDisplay{}), &now = *is.tui;
  if (!have_same_thresholds(before, now)) return file.set_lines("tui", look_lines(now));
  if (before.title_lines != now.title_lines)
    file.set({"tui", "title_lines"}, std::to_string(now.title_lines));
  if (before.hide_empty_columns != now.hide_empty_columns)
    put(file, {"tui", "hide_empty_columns"}, flag(now.hide_empty_columns));
  if (before.narrow_threshold != now.narrow_threshold)
    put(file, {"tui", "narrow_threshold"}, count(now.narrow_threshold));
}

void write_limits(SettingsFile& file, Board const& was, Board const& is) {
  for (auto const& column : is.columns) {
    auto const* before = core::find_column(was, column.name);
    if ((before ? before->wip_limit : 0) == column.wip_limit) continue;
    Path const path{"wip_limits", column.name};
    if (column.wip_limit > 0)
      file.set(path, std::to_string(column.wip_limit));
    else
      file.remove(path);
  }
  for (auto const& column : was.columns)
    if (!core::find_column(is, column.name)) file.remove({"wip_limits", column.name});
}

std::string setting_word(boost::json::value const& value) {
  auto const* text = value.if_string();
  return text ? yaml_item({text->data(), text->size()}) : boost::json::serialize(value);
}

/// Writes the values under `andon` that differ from their defaults. An existing part is changed key by key.
void write_own(SettingsFile& file, Board const& is) {
  auto wanted = own_part(is);
  auto const usual = usual_part(is), now = wanted;
  for (auto const& member : usual)
    if (auto const* value = wanted.if_contains(member.key()); value && *value == member.value())
      wanted.erase(member.key());
  auto const* there = file.find({"andon"});
  if (!there || there->entries.empty()) {
    if (wanted.empty()) return;
    auto const yaml = reflect::to_yaml(boost::json::object{{"andon", std::move(wanted)}});
    return file.set_lines("andon", yaml.ends_with('\n') ? yaml : yaml + "\n");
  }
  auto const before = own_part(board_in(file));
  auto const in = [](boost::json::object const& all, std::string_view key) {
    auto const* value = all.if_contains(key);
    return value ? *value : boost::json::value{};
  };
  auto const change = [&](std::string_view key) {
    if (in(before, key) == in(now, key)) return;
    auto const* value = wanted.if_contains(key);
    put(file, {"andon", std::string{key}}, value ? setting_word(*value) : std::string{});
  };
  std::ranges::for_each(kOwnKeys, change);
}

/// Hides the time in columns where work does not age. Only for columns of the `flow` template: other boards
/// have no such setting.
void apply_hidden_durations(SettingsFile& file, Board const& board) {
  auto const usual = core::board_from_template("flow");
  if (!std::ranges::equal(usual->columns, board.columns, {}, &Column::name, &Column::name)) return;
  for (auto const* at : {"0", "4", "5"}) file.set({"statuses", at, "show_duration"}, "false");
}

constexpr std::string_view kNewTui =
    "tui:\n    title_lines: 2\n    age_thresholds:\n"
    "        - after: 0s\n          color: \"242\"\n        - after: 1h\n          color: \"34\"\n"
    "        - after: 24h\n          color: \"226\"\n        - after: 72h\n          color: \"208\"\n"
    "        - after: 168h\n          color: \"196\"\n";

}  // namespace

void write_board(SettingsFile& file, Board const& was, Board const& is) {
  if (title_of(was) != title_of(is)) file.set_text({"board", "name"}, title_of(is));
  if (was.description != is.description) set_or_remove(file, {"board", "description"}, is.description);
  write_look(file, was, is);
  if (status_lines(was) != status_lines(is)) write_statuses(file, is);
  if (was.priorities != is.priorities) write_names(file, "priorities", is.priorities, Form::text);
  if (class_lines(was) != class_lines(is)) write_classes(file, is);
  if (was.default_status != is.default_status) file.set_text({"defaults", "status"}, is.default_status);
  if (was.default_priority != is.default_priority)
    file.set_text({"defaults", "priority"}, is.default_priority);
  if (was.default_class != is.default_class) set_or_remove(file, {"defaults", "class"}, is.default_class);
  if (was.claim_timeout != is.claim_timeout)
    file.set_text({"claim_timeout"}, core::to_text(is.claim_timeout));
  write_limits(file, was, is);
  if (own_part(was) != own_part(is)) write_own(file, is);
}

SettingsFile new_settings(Board const& board) {
  std::string text = "version: " + std::to_string(kSettingsVersion) +
                     "\nboard:\n    name: " + yaml_text(title_of(board)) + "\ntasks_dir: tasks\n" +
                     status_lines(board) + list_lines("priorities", board.priorities) +
                     "defaults:\n    status: " + yaml_text(board.default_status) +
                     "\n    priority: " + yaml_text(board.default_priority) + "\n";
  if (!board.default_class.empty()) text += "    class: " + yaml_text(board.default_class) + "\n";
  text += "claim_timeout: " + yaml_text(core::to_text(board.claim_timeout)) + "\n";
  if (!board.classes.empty()) text += class_lines(board);
  text.append(kNewTui).append("next_id: 1\n");
  auto file = *SettingsFile::parse(std::move(text), "config.yml");
  apply_hidden_durations(file, board);
  auto const plain = board_in(file);
  if (!board.description.empty()) file.set_text({"board", "description"}, board.description);
  write_look(file, plain, board);
  write_limits(file, plain, board);
  if (own_part(plain) != own_part(board)) write_own(file, board);
  return file;
}

}  // namespace andon::store::markdown
