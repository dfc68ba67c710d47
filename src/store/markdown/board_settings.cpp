#include "store/markdown/board_settings.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

#include <boost/json/serialize.hpp>

#include "core/board_title.hpp"
#include "core/column_stages.hpp"
#include "core/names.hpp"
#include "core/templates.hpp"
#include "reflect/json.hpp"
#include "store/markdown/scalar.hpp"
#include "store/markdown/task_name.hpp"

namespace andon::store::markdown {
namespace {

using core::Board;
using core::Code;
using core::Column;
using core::Result;
using core::Stage;
using reflect::YamlNode;

std::string short_name(std::string const& title) {
  auto const slug = core::slug(title);
  return slug.find_first_not_of("0123456789-") == std::string::npos
             ? "board" + (slug.empty() ? "" : "-" + slug)
             : slug;
}

std::optional<std::int64_t> number_in(std::string_view text) {
  std::int64_t out = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return out;
}

constexpr std::int64_t kHighestLimit = 1'000'000;

bool is_limit(std::string_view text) {
  auto const number = number_in(text).value_or(-1);
  return number >= 0 && number <= kHighestLimit;
}

/// Go's notation, which has no days.
std::optional<core::Duration> go_duration(std::string_view text) {
  if (text == "0") return core::Duration::zero();
  bool const has_unit = text.find_first_of("hms") != std::string_view::npos;
  return has_unit && !text.contains('d') ? core::parse_duration(text) : std::nullopt;
}

std::string word_of(YamlNode const& node, std::string_view key) {
  auto const* value = node.find(key);
  return value && value->kind == YamlNode::Kind::scalar && !is_yaml_null(*value) ? value->text
                                                                                 : std::string{};
}

/// A status or class: a text, or a map with a `name`.
std::string name_of(YamlNode const& item) {
  return item.kind == YamlNode::Kind::scalar ? item.text : word_of(item, "name");
}

std::vector<std::string> names_in(SettingsFile const& file, std::string const& key) {
  std::vector<std::string> out;
  if (auto const* list = file.find({key}))
    for (auto const& item : list->items) out.push_back(name_of(item));
  return out;
}

bool is_true(std::string_view text) { return yaml_flag(text).value_or(false); }

// Checking

std::unexpected<core::Error> invalid(std::string const& what) {
  return core::refuse(Code::kInvalidInput, "invalid config: " + what);
}

bool are_distinct(std::vector<std::string> const& names) {
  return std::set<std::string>(names.begin(), names.end()).size() == names.size() &&
         std::ranges::find(names, "") == names.end();
}

bool contains(std::vector<std::string> const& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

Result<void> check_lists(SettingsFile const& file) {
  auto const statuses = names_in(file, "statuses"), priorities = names_in(file, "priorities");
  if (statuses.size() < 2 || !are_distinct(statuses))
    return invalid("at least 2 statuses with names of their own are needed");
  if (priorities.empty() || !are_distinct(priorities))
    return invalid("at least 1 priority is needed, each once");
  if (auto const status = file.word({"defaults", "status"}); !contains(statuses, status))
    return invalid("invalid default status \"" + status + "\"");
  if (auto const priority = file.word({"defaults", "priority"}); !contains(priorities, priority))
    return invalid("invalid default priority \"" + priority + "\"");
  if (auto const* limits = file.find({"wip_limits"}))
    for (auto const& limit : limits->entries) {
      if (!contains(statuses, limit.key))
        return invalid("wip_limits names the unknown status \"" + limit.key + "\"");
      if (!is_limit(limit.value.text))
        return invalid("the limit of \"" + limit.key + "\" is no number from 0");
    }
  return {};
}

Result<void> check_classes(SettingsFile const& file) {
  auto const classes = names_in(file, "classes");
  if (!are_distinct(classes)) return invalid("every class needs a name of its own");
  if (auto const* list = file.find({"classes"}))
    for (auto const& item : list->items)
      if (auto const limit = word_of(item, "wip_limit"); !limit.empty() && !is_limit(limit))
        return invalid("the limit of class \"" + name_of(item) + "\" is no number from 0");
  if (auto const given = file.word({"defaults", "class"});
      !given.empty() && !classes.empty() && !contains(classes, given))
    return invalid("invalid default class \"" + given + "\"");
  return {};
}

Result<void> check_flag(std::string const& key, std::string const& word) {
  if (word.empty() || yaml_flag(word)) return {};
  return invalid(key + " must be true or false, found \"" + word + "\"");
}

Result<void> check_flags(SettingsFile const& file) {
  if (auto const* list = file.find({"statuses"}))
    for (auto const& item : list->items)
      for (auto const* key : {"require_claim", "show_duration"})
        ANDON_CHECK(check_flag(key, word_of(item, key)));
  if (auto const* list = file.find({"classes"}))
    for (auto const& item : list->items)
      ANDON_CHECK(check_flag("bypass_column_wip", word_of(item, "bypass_column_wip")));
  return check_flag("tui.hide_empty_columns", file.word({"tui", "hide_empty_columns"}));
}

Result<void> check_page(SettingsFile const& file) {
  if (auto const lines = file.word({"tui", "title_lines"}); !lines.empty()) {
    auto const count = number_in(lines).value_or(0);
    if (count < 1 || count > 3)
      return invalid("tui.title_lines is \"" + lines + "\"; it must be from 1 to 3");
  }
  if (auto const narrow = file.word({"tui", "narrow_threshold"}); !narrow.empty() && !is_limit(narrow))
    return invalid("tui.narrow_threshold must be a number from 0");
  auto const* thresholds = file.find({"tui", "age_thresholds"});
  if (!thresholds) return {};
  for (auto const& item : thresholds->items) {
    if (!go_duration(word_of(item, "after")))
      return invalid("the age threshold \"" + word_of(item, "after") + "\" is no duration");
    if (word_of(item, "color").empty()) return invalid("an age threshold needs a color");
  }
  return {};
}

// Reading

std::vector<Column> columns_in(SettingsFile const& file) {
  std::vector<Column> out;
  auto const names = names_in(file, "statuses");
  auto const* list = file.find({"statuses"});
  for (std::size_t i = 0; i < names.size(); ++i) {
    auto const& item = list->items[i];
    Column column;
    column.name = names[i];
    column.title = word_of(item, "title");
    column.stage = core::parse_stage(word_of(item, "stage")).value_or(core::stage_by_name(names, i));
    column.require_claim = is_true(word_of(item, "require_claim"));
    column.holds_back = word_of(item, "holds_back");
    if (auto const shows = word_of(item, "show_duration"); !shows.empty())
      column.show_duration = is_true(shows);
    column.wip_limit = static_cast<int>(number_in(file.word({"wip_limits", names[i]})).value_or(0));
    out.push_back(std::move(column));
  }
  return out;
}

std::optional<core::BoardLook> look_in(SettingsFile const& file) {
  if (!file.find({"tui"})) return std::nullopt;
  core::BoardLook out;
  out.title_lines = static_cast<int>(number_in(file.word({"tui", "title_lines"})).value_or(out.title_lines));
  out.hide_empty_columns = is_true(file.word({"tui", "hide_empty_columns"}));
  out.narrow_threshold = static_cast<int>(number_in(file.word({"tui", "narrow_threshold"})).value_or(0));
  if (auto const* thresholds = file.find({"tui", "age_thresholds"})) {
    out.age_thresholds.clear();
    for (auto const& item : thresholds->items)
      out.age_thresholds.push_back(
          {go_duration(word_of(item, "after")).value_or(core::Duration::zero()), word_of(item, "color")});
  }
  return out;
}

std::vector<core::ServiceClass> classes_in(SettingsFile const& file) {
  std::vector<core::ServiceClass> out;
  auto const* list = file.find({"classes"});
  if (!list) return out;
  for (auto const& item : list->items)
    out.push_back({name_of(item), static_cast<int>(number_in(word_of(item, "wip_limit")).value_or(0)),
                   is_true(word_of(item, "bypass_column_wip")),
                   static_cast<int>(number_in(word_of(item, "share")).value_or(0))});
  return out;
}

/// What Andon adds stands as one JSON object under `andon`, so that it can be read with the codec of boards.
constexpr std::array<std::string_view, 10> kOwn{
    "name",    "prefix",    "template",       "workflow",      "approval",
    "trusted", "review_by", "max_concurrent", "auto_dispatch", "require_brief"};
constexpr std::array<std::string_view, 3> kOwnRest{"chains", "stale_after", "silent_after"};

bool is_own(std::string_view key) {
  return std::ranges::find(kOwn, key) != kOwn.end() || std::ranges::find(kOwnRest, key) != kOwnRest.end();
}

void read_own(SettingsFile const& file, Board& board) {
  auto const* own = file.find({"andon"});
  if (!own || own->kind != YamlNode::Kind::map) return;
  auto allowed = *own;
  std::erase_if(allowed.entries, [](auto const& entry) { return !is_own(entry.key); });
  auto json = reflect::json_of(allowed, reflect::type_of<Board>());
  if (!json.is_object()) return;
  auto merged = reflect::parse_json(reflect::to_json(board));
  for (auto const& member : json.get_object()) merged->get_object()[member.key()] = member.value();
  if (auto parsed = reflect::from_json<Board>(*merged, reflect::Unknown::ignore)) board = *std::move(parsed);
}

boost::json::object own_part(Board const& board) {
  auto const all = reflect::parse_json(reflect::to_json(board));
  boost::json::object out;
  for (auto const& member : all->get_object())
    if (is_own(member.key())) out.emplace(member.key(), member.value());
  return out;
}

/// What stands under `andon` when nothing special is said there.
boost::json::object usual_part(Board const& board) {
  Board usual;
  usual.template_ = "flow";
  usual.name = short_name(title_of(board));
  return own_part(usual);
}

// Writing

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

/// Gives a key a word, or takes it out.
void put(SettingsFile& file, Path const& path, std::string const& word) {
  if (word.empty())
    file.remove(path);
  else
    file.set(path, word);
}

enum class Form { text, map };

/// Which item of a list each of the new names was before. Where as many names go as come, those are new
/// names of the same things.
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

/// Gives a list of things with names these ones, and keeps what else is said of those that stay.
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

std::string look_lines(core::BoardLook const& look) {
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

bool have_same_thresholds(core::BoardLook const& a, core::BoardLook const& b) {
  return std::ranges::equal(a.age_thresholds, b.age_thresholds, [](auto const& one, auto const& other) {
    return one.after == other.after && one.color == other.color;
  });
}

/// One value where the rest is the same; else the whole part.
void write_look(SettingsFile& file, Board const& was, Board const& is) {
  if (!is.tui) return;
  auto const &before = was.tui.value_or(core::BoardLook{}), &now = *is.tui;
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

std::string word_of(boost::json::value const& value) {
  auto const* text = value.if_string();
  return text ? yaml_item({text->data(), text->size()}) : boost::json::serialize(value);
}

/// What differs from the usual; key by key where something stands there already.
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
    put(file, {"andon", std::string{key}}, value ? word_of(*value) : std::string{});
  };
  std::ranges::for_each(kOwn, change);
  std::ranges::for_each(kOwnRest, change);
}

/// kanban-md shows no age where work does not age; boards with columns of their own say nothing.
void hide_durations(SettingsFile& file, Board const& board) {
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

Result<void> check_settings(SettingsFile const& file) {
  if (file.word({"version"}) != std::to_string(kSettingsVersion))
    return invalid("version must be " + std::to_string(kSettingsVersion) + ", found \"" +
                   file.word({"version"}) + "\"");
  if (file.word({"board", "name"}).empty()) return invalid("board.name is empty");
  if (file.word({"tasks_dir"}).empty()) return invalid("tasks_dir is empty");
  ANDON_CHECK(check_lists(file));
  ANDON_CHECK(check_classes(file));
  ANDON_CHECK(check_flags(file));
  ANDON_CHECK(check_page(file));
  if (auto const timeout = file.word({"claim_timeout"}); !timeout.empty() && !go_duration(timeout))
    return invalid("invalid claim_timeout \"" + timeout + "\"; write it like 90m or 1h30m");
  if (auto const next = number_in(file.word({"next_id"})).value_or(0); next < 1 || next > kHighestNumber + 1)
    return invalid("next_id must be a number from 1");
  return {};
}

Board board_in(SettingsFile const& file) {
  Board board;
  board.template_ = "flow";
  board.title = file.word({"board", "name"});
  board.name = short_name(board.title);
  board.description = file.word({"board", "description"});
  board.tui = look_in(file);
  board.columns = columns_in(file);
  board.priorities = names_in(file, "priorities");
  board.classes = classes_in(file);
  board.default_status = file.word({"defaults", "status"});
  board.default_priority = file.word({"defaults", "priority"});
  board.default_class = file.word({"defaults", "class"});
  board.claim_timeout = go_duration(file.word({"claim_timeout"})).value_or(core::Duration::zero());
  read_own(file, board);
  if (board.title == board.name) board.title.clear();
  return board;
}

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
  hide_durations(file, board);
  auto const plain = board_in(file);
  if (!board.description.empty()) file.set_text({"board", "description"}, board.description);
  write_look(file, plain, board);
  write_limits(file, plain, board);
  if (own_part(plain) != own_part(board)) write_own(file, board);
  return file;
}

}  // namespace andon::store::markdown
