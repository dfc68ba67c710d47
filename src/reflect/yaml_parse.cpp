// Reads YAML 1.2 as people write it into settings and front matter, by recursive descent over one cursor.
// Every byte is passed a bounded number of times. `YamlLimits::depth` bounds the recursion.
//
// A value begins with its first byte: `- ` a list, a bracket a list or map in brackets, `|` or `>` a block of
// text, everything else a scalar, which is the first key of a map when a colon follows it on its line.
// Lists and maps without brackets go on while lines begin at the column of their first item.
// Anchors, aliases, tags, merge keys, keys behind `?`, directives and a second document are refused.

#include <array>
#include <unordered_set>
#include <utility>

#include "core/text/names.hpp"
#include "reflect/yaml.hpp"
#include "reflect/yaml_words.hpp"

namespace andon::reflect {
namespace {

using core::Code;
using core::Result;
using Node = YamlRead<YamlNode>;

constexpr std::string_view kNoKey = "a key must be a text on one line, without ? before it";

struct Indicator {
  char first;
  std::string_view what;
};
constexpr std::array kRefused{
    Indicator{'&', "an anchor is not allowed here; write the value out"},
    Indicator{'*', "an alias is not allowed here; write the value out"},
    Indicator{'!', "a tag is not allowed here; write the value out"},
    Indicator{'%', "no text without quotes begins with %"},
    Indicator{'@', "no text without quotes begins with @"},
    Indicator{'`', "no text without quotes begins with `"},
    Indicator{'#', "a blank must stand before a comment"},
    Indicator{',', "a value is missing before the comma"},
    Indicator{']', "there is no [ that this ] closes"},
    Indicator{'}', "there is no { that this } closes"},
    Indicator{'|', "a text of several lines cannot stand here"},
    Indicator{'>', "a text of several lines cannot stand here"},
};

/// The lines that a value without brackets may use.
struct Around {
  YamlIndent indent = -1;     ///< of the value that holds it
  bool list_beside = false;   ///< a list may begin at that indentation, as below a key
  bool group_behind = false;  ///< a list or map may begin behind the indicator, as behind a dash
};

class Reading {
 public:
  Reading(std::string_view text, YamlLimits limits) : cursor_(text), limits_(limits), left_(limits.values) {}

  Node document() {
    ANDON_CHECK(begin());
    ANDON_TRY(auto root, value({}, 1));
    ANDON_CHECK(finish());
    return root;
  }

 private:
  std::unexpected<YamlFault> refuse_at(std::size_t at, std::string_view message) const {
    return std::unexpected(YamlFault{at, std::string{message}});
  }
  std::unexpected<YamlFault> refuse(std::string_view message) const {
    return refuse_at(cursor_.at(), message);
  }

  YamlRead<void> begin() {
    if (!cursor_.is_at_mark()) cursor_.to_content();
    if (cursor_.peek() == '%' && cursor_.column() == 0) return refuse("a directive is not allowed here");
    if (cursor_.is_at_mark() && cursor_.peek() == '-') cursor_.skip(3);
    return {};
  }

  YamlRead<void> finish() {
    cursor_.to_content();
    if (!cursor_.is_at_end() && !cursor_.is_at_mark()) return refuse(misplaced(0));
    while (cursor_.is_at_mark() && cursor_.peek() == '.') {
      cursor_.skip(3);
      cursor_.to_content();
      if (!cursor_.is_at_end() && !cursor_.is_first()) return refuse("nothing may follow ... on its line");
    }
    if (!cursor_.is_at_end()) return refuse("there is a second document; one file holds one");
    return {};
  }

  bool is_over() const { return cursor_.is_at_end() || cursor_.is_at_mark(); }

  /// The refusal of a line that does not continue a list or map at that column.
  std::string_view misplaced(int column) const {
    if (!cursor_.is_first()) return "the value is over here; put the text into quotes";
    return cursor_.column() > column ? "the line is indented deeper than the ones it belongs to"
                                     : "the line belongs to no key and no list";
  }

  YamlRead<void> check_tabs() const {
    auto const line = cursor_.text().substr(cursor_.at() - static_cast<std::size_t>(cursor_.column()),
                                            static_cast<std::size_t>(cursor_.column()));
    auto const tab = line.find('\t');
    if (tab == std::string_view::npos) return {};
    return refuse_at(cursor_.at() - line.size() + tab, "tabs do not indent; use blanks");
  }

  YamlNode nothing() {
    --left_;
    YamlNode out;
    out.plain = true;
    out.begin = out.end = behind_;
    out.place = cursor_.place();
    return out;
  }

  /// Reads the value behind a colon, a dash or the beginning of the document.
  Node value(Around around, std::size_t depth) {
    auto const indicator = cursor_.at();
    ANDON_CHECK(check_room(depth));
    auto empty = nothing();
    cursor_.to_content();
    if (is_over()) return empty;
    if (cursor_.is_first()) {
      int const column = cursor_.column();
      bool const is_list = around.list_beside && column == around.indent && cursor_.is_at('-');
      if (column <= around.indent && !is_list) return empty;
      ANDON_CHECK(check_tabs());
      around.group_behind = true;
    } else if (around.group_behind) {
      auto const gap = cursor_.text().substr(indicator, cursor_.at() - indicator);
      around.group_behind = !gap.contains('\t');
    }
    return content(around, depth);
  }

  Node content(Around around, std::size_t depth) {
    char const c = cursor_.peek();
    if (c == '|' || c == '>') return done(scan_block(cursor_, around.indent));
    if (cursor_.is_at('-')) {
      if (!around.group_behind) return refuse("a list begins on a line of its own, without tabs before it");
      return list(depth);
    }
    int const column = cursor_.column();
    auto const line = cursor_.at() - static_cast<std::size_t>(column);
    ANDON_TRY(auto out, c == '[' || c == '{' ? brackets(depth) : scalar(around.indent, false));
    auto ahead = cursor_;
    ahead.pass_blanks();
    if (!ahead.is_at_colon(false)) return out;
    bool const is_one_line = cursor_.at() - static_cast<std::size_t>(cursor_.column()) == line;
    if (out.kind != YamlNode::Kind::scalar || !is_one_line) return refuse_at(out.begin, kNoKey);
    if (!around.group_behind)
      return refuse_at(ahead.at(), "a map begins on a line of its own, without tabs before it");
    cursor_ = ahead;
    return map(std::move(out), column, depth);
  }

  YamlRead<void> check_room(std::size_t depth) const {
    if (depth > limits_.depth)
      return refuse("values are nested deeper than " + std::to_string(limits_.depth));
    if (left_ == 0) return refuse("there are more than " + std::to_string(limits_.values) + " values");
    return {};
  }

  Node done(Node node) {
    if (node) behind_ = node->end;
    return node;
  }

  Node scalar(YamlIndent around, bool in_brackets) {
    char const c = cursor_.peek();
    if (c == '"' || c == '\'') return done(scan_quoted(cursor_));
    for (auto const& [first, what] : kRefused)
      if (c == first) return refuse(what);
    if (cursor_.is_at_colon(in_brackets)) return refuse("a key is missing before the colon");
    bool const alone = is_yaml_gap(cursor_.peek(1)) || (in_brackets && is_yaml_bracket(cursor_.peek(1)));
    if (c == '?' && alone) return refuse(kNoKey);
    if (c == '-' && alone) return refuse("a list item cannot stand here");
    return done(scan_plain(cursor_, around, in_brackets));
  }

  Node list(std::size_t depth) {
    YamlNode out;
    out.kind = YamlNode::Kind::list;
    out.place = cursor_.place();
    out.begin = cursor_.at();
    int const column = cursor_.column();
    do {
      cursor_.skip(1);
      behind_ = cursor_.at();
      ANDON_TRY(auto item, value({.indent = column, .group_behind = true}, depth + 1));
      out.items.push_back(std::move(item));
      ANDON_TRY(bool const more, has_more(column));
      if (!more) break;
    } while (cursor_.is_at('-'));
    out.end = behind_;
    return out;
  }

  /// Goes to the next item of a list or map at that column.
  YamlRead<bool> has_more(int column) {
    cursor_.to_content();
    if (is_over()) return false;
    if (!cursor_.is_first() || cursor_.column() > column) return refuse(misplaced(column));
    ANDON_CHECK(check_tabs());
    return cursor_.column() == column;
  }

  /// `key` is the first one, and the cursor stands at its colon.
  Node map(YamlNode key, int column, std::size_t depth) {
    YamlNode out;
    out.kind = YamlNode::Kind::map;
    out.place = key.place;
    out.begin = key.begin;
    std::unordered_set<std::string> keys;
    while (true) {
      ANDON_TRY(auto entry, entry_of(std::move(key), keys));
      ANDON_TRY(entry.value, value({.indent = column, .list_beside = true}, depth + 1));
      out.entries.push_back(std::move(entry));
      ANDON_TRY(bool const more, has_more(column));
      if (!more) break;
      ANDON_TRY(key, next_key(column));
    }
    out.end = behind_;
    return out;
  }

  Node next_key(int column) {
    char const c = cursor_.peek();
    if (c == '[' || c == '{') return refuse(kNoKey);
    auto const line = cursor_.at() - static_cast<std::size_t>(column);
    ANDON_TRY(auto key, scalar(column, false));
    bool const is_one_line = cursor_.at() - static_cast<std::size_t>(cursor_.column()) == line;
    cursor_.pass_blanks();
    if (!cursor_.is_at_colon(false))
      return refuse_at(key.begin, "expected a key with a colon and a blank behind it");
    if (!is_one_line) return refuse_at(key.begin, kNoKey);
    return key;
  }

  /// Passes the colon; `keys` are those that came before.
  YamlRead<YamlEntry> entry_of(YamlNode key, std::unordered_set<std::string>& keys) {
    if (key.plain && key.text == "<<") return refuse_at(key.begin, "merging maps with << is not allowed");
    if (!keys.insert(key.text).second)
      return refuse_at(key.begin, "the key \"" + key.text + "\" stands twice");
    if (cursor_.peek() == ':') cursor_.skip(1);
    behind_ = cursor_.at();
    return YamlEntry{std::move(key.text), key.place, key.begin, behind_, {}};
  }

  // Within brackets lines end where they like.

  Node brackets(std::size_t depth) {
    YamlNode out;
    bool const is_list = cursor_.peek() == '[';
    out.kind = is_list ? YamlNode::Kind::list : YamlNode::Kind::map;
    out.place = cursor_.place();
    out.begin = cursor_.at();
    std::unordered_set<std::string> keys;
    char const close = is_list ? ']' : '}';
    cursor_.skip(1);
    while (true) {
      ANDON_TRY(bool const closed, is_closed(out.begin, close));
      if (closed) break;
      if (is_list) {
        ANDON_TRY(auto item, item_in_brackets(depth));
        out.items.push_back(std::move(item));
      } else {
        ANDON_TRY(auto entry, entry_in_brackets(keys, depth));
        out.entries.push_back(std::move(entry));
      }
      ANDON_TRY(bool const last, is_closed(out.begin, close));
      if (last) break;
      if (cursor_.peek() != ',') return refuse("a comma or the closing bracket is missing");
      cursor_.skip(1);
    }
    cursor_.skip(1);
    behind_ = out.end = cursor_.at();
    return out;
  }

  /// Goes to the next content.
  YamlRead<bool> is_closed(std::size_t begin, char close) {
    cursor_.to_content();
    if (is_over()) return refuse_at(begin, "the bracket is never closed");
    return cursor_.peek() == close;
  }

  Node in_brackets(std::size_t depth) {
    ANDON_CHECK(check_room(depth));
    --left_;
    char const c = cursor_.peek();
    return c == '[' || c == '{' ? brackets(depth) : scalar(-1, true);
  }

  /// `a: b` in a list is a map of one key.
  Node item_in_brackets(std::size_t depth) {
    auto const line = cursor_.at() - static_cast<std::size_t>(cursor_.column());
    ANDON_TRY(auto out, in_brackets(depth + 1));
    auto ahead = cursor_;
    ahead.pass_blanks();
    bool const is_key = out.plain ? ahead.is_at_colon(true) : ahead.peek() == ':';
    if (!is_key) return out;
    bool const is_one_line = cursor_.at() - static_cast<std::size_t>(cursor_.column()) == line;
    if (out.kind != YamlNode::Kind::scalar || !is_one_line) return refuse_at(out.begin, kNoKey);
    cursor_ = ahead;
    YamlNode pair;
    pair.kind = YamlNode::Kind::map;
    pair.place = out.place;
    pair.begin = out.begin;
    std::unordered_set<std::string> keys;
    ANDON_TRY(auto entry, entry_of(std::move(out), keys));
    ANDON_TRY(entry.value, value_in_brackets(depth + 2));
    pair.entries.push_back(std::move(entry));
    pair.end = behind_;
    return pair;
  }

  YamlRead<YamlEntry> entry_in_brackets(std::unordered_set<std::string>& keys, std::size_t depth) {
    if (cursor_.peek() == '[' || cursor_.peek() == '{') return refuse(kNoKey);
    ANDON_TRY(auto key, scalar(-1, true));
    cursor_.to_content();
    bool const has_value = key.plain ? cursor_.is_at_colon(true) : cursor_.peek() == ':';
    if (!has_value && cursor_.peek() == ':') return refuse("a blank must stand behind the colon");
    auto const key_end = key.end;
    ANDON_TRY(auto entry, entry_of(std::move(key), keys));
    if (has_value) {
      ANDON_TRY(entry.value, value_in_brackets(depth + 1));
      return entry;
    }
    ANDON_CHECK(check_room(depth + 1));
    entry.colon = behind_ = key_end;
    entry.value = nothing();
    return entry;
  }

  Node value_in_brackets(std::size_t depth) {
    cursor_.to_content();
    char const c = cursor_.peek();
    if (c != ',' && c != ']' && c != '}' && !is_over()) return in_brackets(depth);
    ANDON_CHECK(check_room(depth));
    return nothing();
  }

  YamlCursor cursor_;
  YamlLimits limits_;
  std::size_t left_;
  std::size_t behind_ = 0;  ///< the end of the word, colon, dash or bracket that was read last
};

Result<void> check_bytes(std::string_view text, std::string_view name, YamlLimits limits) {
  std::string const of{name};
  if (text.size() > limits.bytes)
    return core::refuse(Code::kTooLarge,
                        of + " is larger than " + std::to_string(limits.bytes >> 10U) + " KiB");
  if (!core::is_utf8(text)) return core::refuse(Code::kMalformed, of + " is not valid UTF-8");
  if (text.contains('\0')) return core::refuse(Code::kMalformed, of + " holds a zero byte");
  return {};
}

YamlPlace place_at(std::string_view text, std::size_t at) {
  YamlCursor cursor(text);
  while (true) {
    auto ahead = cursor;
    ahead.pass_line();
    if (ahead.at() >= at || ahead.is_at_end()) break;
    ahead.pass_line_end();
    if (ahead.at() > at) break;
    cursor = ahead;
  }
  cursor.go_to(at);
  return cursor.place();
}

}  // namespace

YamlNode const* YamlNode::find(std::string_view key) const {
  for (auto const& entry : entries)
    if (entry.key == key) return &entry.value;
  return nullptr;
}

core::Result<YamlNode> parse_yaml(std::string_view text, std::string_view name, YamlLimits limits) {
  ANDON_CHECK(check_bytes(text, name, limits));
  auto root = Reading(text, limits).document();
  if (!root) {
    auto const place = place_at(text, root.error().at);
    return core::refuse(Code::kMalformed, std::string{name} + ":" + std::to_string(place.line) + ":" +
                                              std::to_string(place.column) + ": " + root.error().message);
  }
  if (root->kind == YamlNode::Kind::scalar && root->plain && root->text.empty())
    root->kind = YamlNode::Kind::map;
  return *std::move(root);
}

}  // namespace andon::reflect
