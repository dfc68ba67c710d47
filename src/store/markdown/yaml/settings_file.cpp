#include "store/markdown/yaml/settings_file.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <stdexcept>

#include "store/contract/store_error.hpp"
#include "store/markdown/yaml/front_matter_reading.hpp"
#include "store/markdown/yaml/lines.hpp"
#include "store/markdown/yaml/scalar.hpp"

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

std::size_t position_in(std::string_view text) {
  std::size_t out = kEnd;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

YamlNode const* child(YamlNode const& node, std::string const& name) {
  if (node.kind == YamlNode::Kind::map) return node.find(name);
  auto const at = position_in(name);
  return node.kind == YamlNode::Kind::list && at < node.items.size() ? &node.items[at] : nullptr;
}

YamlEntry const* entry_named(YamlNode const& map, std::string_view key) {
  auto const found = std::ranges::find(map.entries, key, &YamlEntry::key);
  return found == map.entries.end() ? nullptr : &*found;
}

std::string blanks(std::size_t count) { return std::string(count, ' '); }

/// The error for settings that are one map in braces. Their existing values can be changed, but no lines can
/// be added.
StoreError no_place() {
  return {StoreError::Kind::unusable,
          "config.yml is written in braces; write it in lines, a key in each, to change this setting"};
}

/// The column of a map's first key, which may be behind the dash of an item.
std::size_t column_of(YamlNode const& map) {
  return static_cast<std::size_t>(map.entries.front().place.column) - 1;
}

}  // namespace

Result<SettingsFile> SettingsFile::parse(std::string text, std::string_view name) {
  SettingsFile out;
  ANDON_CHECK(check_conflict(text, name));
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
  return node && node->kind == YamlNode::Kind::scalar && !is_yaml_null(*node) ? node->text : std::string{};
}

void SettingsFile::splice(std::size_t from, std::size_t to, std::string_view with) {
  bool const has_returns = line_at(text_, 0).next - line_at(text_, 0).end == 2;
  std::string lines;
  for (char const c : with) {
    if (has_returns && c == '\n' && !lines.ends_with('\r')) lines += '\r';
    lines += c;
  }
  auto text = text_;
  text.replace(from, to - from, lines);
  auto parsed = reflect::parse_yaml(text, name_);
  if (!parsed)
    throw std::logic_error{"a change of the settings made them unreadable: " + parsed.error().message};
  text_ = std::move(text);
  root_ = *std::move(parsed);
}

bool SettingsFile::is_bracketed(YamlNode const& node) const {
  return node.kind != YamlNode::Kind::scalar && node.begin < text_.size() &&
         (text_[node.begin] == '[' || text_[node.begin] == '{');
}

bool SettingsFile::is_in_brackets(Path const& path) const {
  auto const* node = &root_;
  for (auto const& name : path) {
    if (!node) return false;
    if (is_bracketed(*node)) return true;
    node = child(*node, name);
  }
  return false;
}

std::size_t SettingsFile::after(YamlNode const& node) const { return line_at(text_, node.end).next; }

std::size_t SettingsFile::line_of(std::size_t at) const {
  auto const feed = at == 0 ? kEnd : text_.rfind('\n', at - 1);
  return feed == kEnd ? 0 : feed + 1;
}

void SettingsFile::replace(YamlEntry const& entry, std::string_view value) {
  auto const& node = entry.value;
  bool const is_beside = node.end > node.begin && line_of(node.begin) == line_of(entry.colon - 1);
  splice(is_beside ? node.begin : entry.colon, std::max(node.end, entry.colon),
         (is_beside ? "" : " ") + std::string{value});
}

void SettingsFile::add(Path const& path, YamlNode const& parent, std::string_view value) {
  auto const line = yaml_item(path.back()) + ": " + std::string{value};
  bool const is_first = parent.entries.empty();
  if (is_bracketed(parent)) {
    auto const at = is_first ? parent.begin + 1 : parent.entries.back().value.end;
    return splice(at, at, (is_first ? "" : ", ") + line);
  }
  auto const at = after(parent);
  splice(at, at, blanks(column_of(parent)) + line + "\n");
}

void SettingsFile::set(Path const& path, std::string_view value) {
  Path const above{path.begin(), path.end() - 1};
  auto const* parent = find(above);
  if (auto const* entry = parent ? entry_named(*parent, path.back()) : nullptr) return replace(*entry, value);
  bool const has_place = parent && (!parent->entries.empty() || is_bracketed(*parent));
  if (above.empty() && !is_bracketed(root_))
    return set_lines(path[0], path[0] + ": " + std::string{value} + "\n");
  if (has_place) return add(path, *parent, value);
  if (above.size() != 1 || is_bracketed(root_)) throw no_place();
  set_lines(above[0], above[0] + ":\n    " + yaml_item(path.back()) + ": " + std::string{value} + "\n");
}

void SettingsFile::set_text(Path const& path, std::string_view text) {
  bool const is_for_brackets = text.contains('\n') || is_in_brackets(path);
  set(path, is_for_brackets ? yaml_item(text) : yaml_text(text));
}

void SettingsFile::set_lines(std::string const& key, std::string_view lines) {
  if (is_bracketed(root_)) throw no_place();
  if (auto const* entry = entry_named(root_, key))
    return splice(line_of(entry->begin), after(entry->value), lines);
  std::size_t at = 0;
  auto best = std::ptrdiff_t{-1};
  for (auto const& entry : root_.entries) {
    auto const rank = rank_of_key(entry.key);
    if (rank >= rank_of_key(key) || rank <= best) continue;
    best = rank;
    at = after(entry.value);
  }
  splice(at, at, lines);
}

void SettingsFile::remove(Path const& path) {
  Path const above{path.begin(), path.end() - 1};
  auto const* parent = find(above);
  auto const* entry = parent ? entry_named(*parent, path.back()) : nullptr;
  if (!entry) return;
  if (parent->entries.size() == 1 && !above.empty()) return remove(above);
  auto const at = static_cast<std::size_t>(entry - parent->entries.data());
  auto const& entries = parent->entries;
  if (!is_bracketed(*parent)) {
    auto const line = line_of(entry->begin);
    bool const is_behind_dash = text_.find_first_not_of(' ', line) < entry->begin;
    return is_behind_dash ? splice(entry->begin, entries[at + 1].begin, {})
                          : splice(line, after(entry->value), {});
  }
  if (at + 1 < entries.size()) return splice(entry->begin, entries[at + 1].begin, {});
  splice(at == 0 ? entry->begin : entries[at - 1].value.end, entry->value.end, {});
}

void SettingsFile::arrange(std::string const& key, std::vector<Item> const& items) {
  auto const* list = find({key});
  if (list && is_bracketed(*list)) {
    std::string out;
    for (auto const& item : items)
      (out += out.empty() ? "" : ", ") += item.known ? raw(list->items[*item.known]) : item.text;
    return splice(list->begin, list->end, "[" + out + "]");
  }
  bool const is_new = !list || list->items.empty();
  auto const column = is_new ? 4 : static_cast<std::size_t>(list->place.column) - 1;
  auto const begin_of = [&](std::size_t at) {
    return at == 0 ? line_of(list->begin) : after(list->items[at - 1]);
  };
  std::string out;
  for (auto const& item : items)
    out += item.known
               ? text_.substr(begin_of(*item.known), after(list->items[*item.known]) - begin_of(*item.known))
               : blanks(column) + "- " + item.text + "\n";
  if (is_new) return set_lines(key, key + ":\n" + out);
  splice(begin_of(0), after(*list), out);
}

void SettingsFile::name_item(Path const& path) {
  auto const* item = find(path);
  if (item->kind != YamlNode::Kind::scalar) return;
  bool const in_brackets = is_in_brackets(path);
  splice(item->begin, item->end,
         (in_brackets ? "{name: " : "name: ") + raw(*item) + (in_brackets ? "}" : ""));
}

}  // namespace andon::store::markdown
