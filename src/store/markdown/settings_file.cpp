#include "store/markdown/settings_file.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <stdexcept>

#include "store/markdown/lines.hpp"

namespace andon::store::markdown {
namespace {

using core::Result;
using reflect::YamlEntry;
using reflect::YamlNode;

constexpr auto kEnd = std::string_view::npos;

constexpr std::array<std::string_view, 13> kOrder{
    "version",       "board",   "tasks_dir", "statuses", "priorities", "defaults", "wip_limits",
    "claim_timeout", "classes", "tui",       "next_id",  "andon",      ""};

std::ptrdiff_t rank_of_key(std::string_view key) { return std::ranges::find(kOrder, key) - kOrder.begin(); }

std::size_t number_in(std::string_view text) {
  std::size_t out = kEnd;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

YamlNode const* child(YamlNode const& node, std::string const& name) {
  if (node.kind == YamlNode::Kind::map) return node.find(name);
  auto const at = number_in(name);
  return node.kind == YamlNode::Kind::list && at < node.items.size() ? &node.items[at] : nullptr;
}

YamlEntry const* entry_named(YamlNode const& map, std::string_view key) {
  auto const found = std::ranges::find(map.entries, key, &YamlEntry::key);
  return found == map.entries.end() ? nullptr : &*found;
}

std::string blanks(std::size_t count) { return std::string(count, ' '); }

bool is_content(std::string_view line) {
  auto const first = line.find_first_not_of(" \t");
  return first != kEnd && line[first] != '#';
}

}  // namespace

Result<SettingsFile> SettingsFile::parse(std::string text, std::string_view name) {
  SettingsFile out;
  ANDON_SET(out.root_, reflect::parse_yaml(text, name));
  out.text_ = std::move(text);
  out.name_ = name;
  if (!out.text_.empty() && !out.text_.ends_with('\n')) out.text_ += '\n';
  return out;
}

YamlNode const* SettingsFile::find(Path const& path) const {
  auto const* node = &root_;
  for (auto const& name : path)
    if (node) node = child(*node, name);
  return node;
}

std::string SettingsFile::word(Path const& path) const {
  auto const* node = find(path);
  return node && node->kind == YamlNode::Kind::scalar ? node->text : std::string{};
}

void SettingsFile::splice(std::size_t from, std::size_t to, std::string_view with) {
  auto text = text_;
  text.replace(from, to - from, with);
  auto parsed = reflect::parse_yaml(text, name_);
  if (!parsed)
    throw std::logic_error{"a change of the settings made them unreadable: " + parsed.error().message};
  text_ = std::move(text);
  root_ = *std::move(parsed);
}

std::size_t SettingsFile::begin_of_key(Path const& path) const {
  auto const* parent = find({path.begin(), path.end() - 1});
  auto const* entry = parent ? entry_named(*parent, path.back()) : nullptr;
  if (!entry) throw std::logic_error{"no such key in the settings"};
  return offset_of(text_, entry->place.line, entry->place.column);
}

/// Lines belong to a value as long as they are indented deeper than its key, or as deep and an item of its
/// list.
std::size_t SettingsFile::end_of_lines(Path const& path) const {
  auto const* parent = find({path.begin(), path.end() - 1});
  auto const* node = find(path);
  bool const is_item = parent && parent->kind == YamlNode::Kind::list;
  auto const begin = is_item ? offset_of(text_, node->place.line, node->place.column) : begin_of_key(path);
  auto const line_begin =
      text_.rfind('\n', begin) == kEnd || begin == 0 ? 0 : text_.rfind('\n', begin - 1) + 1;
  auto const depth = text_.find_first_not_of(' ', line_begin) - line_begin;
  auto end = line_at(text_, begin).next;
  for (auto at = end; at < text_.size();) {
    auto const line = line_at(text_, at);
    auto const says = line.of(text_);
    auto const indent = says.find_first_not_of(' ');
    if (is_content(says)) {
      bool const own_item =
          !is_item && indent == depth && says[indent] == '-' && node->kind == YamlNode::Kind::list;
      if (indent <= depth && !own_item) break;
      end = line.next;
    }
    at = line.next;
  }
  return end;
}

void SettingsFile::set(Path const& path, std::string_view value) {
  if (auto const* node = find(path); node && node->kind == YamlNode::Kind::scalar) {
    auto const begin = begin_of_key(path);
    auto const colon = text_.find(':', begin + path.back().size()) + 1;
    auto const line = line_at(text_, begin);
    auto const at = text_.find_first_not_of(" \t", colon);
    if (at < line.end && text_[at] != '#' && end_of_value(text_, at) != kEnd)
      return splice(at, end_of_value(text_, at), value);
    return splice(colon, at < line.end ? colon : end_of_lines(path),
                  " " + std::string{value} + (at < line.end ? " " : "\n"));
  }
  if (find(path)) remove(path);
  if (path.size() == 1) return set_lines(path[0], path[0] + ": " + std::string{value} + "\n");
  Path const parent{path.begin(), path.end() - 1};
  auto const* map = find(parent);
  if (!map || map->entries.empty()) {
    if (parent.size() != 1) throw std::logic_error{"no place for a key in the settings"};
    return set_lines(parent[0], parent[0] + ":\n    " + path.back() + ": " + std::string{value} + "\n");
  }
  if (text_[offset_of(text_, map->place.line, map->place.column)] == '{') {
    make_block(parent[0]);
    return set(path, value);
  }
  auto const column = static_cast<std::size_t>(map->entries.front().place.column) - 1;
  auto last = parent;
  last.push_back(map->entries.back().key);
  auto const at = end_of_lines(last);
  splice(at, at, blanks(column) + path.back() + ": " + std::string{value} + "\n");
}

void SettingsFile::set_lines(std::string const& key, std::string_view lines) {
  if (find({key})) {
    auto const begin = begin_of_key({key});
    return splice(begin, end_of_lines({key}), lines);
  }
  std::size_t at = 0;
  auto best = std::ptrdiff_t{-1};
  for (auto const& entry : root_.entries) {
    auto const rank = rank_of_key(entry.key);
    if (rank >= rank_of_key(key) || rank <= best) continue;
    best = rank;
    at = end_of_lines({entry.key});
  }
  splice(at, at, lines);
}

void SettingsFile::remove(Path const& path) {
  if (!find(path)) return;
  auto const begin = begin_of_key(path);
  auto const line = begin == 0 ? 0 : text_.rfind('\n', begin - 1) + 1;
  auto const* parent = find({path.begin(), path.end() - 1});
  bool const alone = parent->entries.size() == 1 && path.size() > 1;
  if (alone) return remove({path.begin(), path.end() - 1});
  splice(line, end_of_lines(path), {});
}

/// Writes a list or map in brackets as lines.
void SettingsFile::make_block(std::string const& key) {
  auto const* node = find({key});
  std::string lines = key + ":\n";
  for (auto const& item : node->items)
    lines += "    - " +
             text_.substr(offset_of(text_, item.place.line, item.place.column),
                          end_of_value(text_, offset_of(text_, item.place.line, item.place.column)) -
                              offset_of(text_, item.place.line, item.place.column)) +
             "\n";
  for (auto const& entry : node->entries) lines += "    " + entry.key + ": " + entry.value.text + "\n";
  set_lines(key, lines);
}

void SettingsFile::add_item(std::string const& key, std::string_view item) {
  auto const* list = find({key});
  if (!list || list->items.empty()) return set_lines(key, key + ":\n    - " + std::string{item} + "\n");
  if (text_[offset_of(text_, list->place.line, list->place.column)] == '[') {
    make_block(key);
    list = find({key});
  }
  auto const& last = list->items.back();
  auto const begin = offset_of(text_, last.place.line, last.place.column);
  auto const line = text_.rfind('\n', begin) + 1;
  auto const indent = text_.find('-', line) - line;
  auto const at = end_of_lines({key, std::to_string(list->items.size() - 1)});
  splice(at, at, blanks(indent) + "- " + std::string{item} + "\n");
}

void SettingsFile::put_before(Path const& path, std::string_view prefix) {
  auto const* list = find({path.front()});
  if (list && text_[offset_of(text_, list->place.line, list->place.column)] == '[') make_block(path.front());
  auto const* node = find(path);
  auto const at = offset_of(text_, node->place.line, node->place.column);
  splice(at, at, prefix);
}

}  // namespace andon::store::markdown
