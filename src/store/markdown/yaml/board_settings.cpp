#include "store/markdown/yaml/board_settings.hpp"

#include <algorithm>
#include <charconv>

#include "core/boards/column_stages.hpp"
#include "core/model/board_title.hpp"
#include "core/text/names.hpp"
#include "reflect/json.hpp"
#include "store/markdown/yaml/scalar.hpp"
#include "store/markdown/yaml/settings_parts.hpp"

namespace andon::store::markdown {
namespace {

using core::Board;
using core::Column;
using reflect::YamlNode;

std::string short_name(std::string const& title) {
  auto const slug = core::slug(title);
  return slug.find_first_not_of("0123456789-") == std::string::npos
             ? "board" + (slug.empty() ? "" : "-" + slug)
             : slug;
}

bool is_true(std::string_view text) { return yaml_flag(text).value_or(false); }

std::optional<core::BoardDisplay> look_in(SettingsFile const& file) {
  if (!file.find({"tui"})) return std::nullopt;
  core::BoardDisplay out;
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

bool is_own(std::string_view key) { return std::ranges::find(kOwnKeys, key) != kOwnKeys.end(); }

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

}  // namespace

std::optional<std::int64_t> number_in(std::string_view text) {
  std::int64_t out = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return out;
}

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

std::string name_of(YamlNode const& item) {
  return item.kind == YamlNode::Kind::scalar ? item.text : word_of(item, "name");
}

std::vector<std::string> names_in(SettingsFile const& file, std::string const& key) {
  std::vector<std::string> out;
  if (auto const* list = file.find({key}))
    for (auto const& item : list->items) out.push_back(name_of(item));
  return out;
}

bool contains(std::vector<std::string> const& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

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

boost::json::object own_part(Board const& board) {
  auto const all = reflect::parse_json(reflect::to_json(board));
  boost::json::object out;
  for (auto const& member : all->get_object())
    if (is_own(member.key())) out.emplace(member.key(), member.value());
  return out;
}

boost::json::object usual_part(Board const& board) {
  Board usual;
  usual.template_ = "flow";
  usual.name = short_name(title_of(board));
  return own_part(usual);
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

FileNumber next_id_in(SettingsFile const& file) {
  auto const text = file.word({"next_id"});
  std::int64_t out = 1;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return FileNumber{out};
}

}  // namespace andon::store::markdown
