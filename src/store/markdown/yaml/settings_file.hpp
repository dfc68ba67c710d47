#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "reflect/yaml.hpp"

namespace andon::store::markdown {

/// The path to a value: names of keys, and numbers of list items from 0.
using Path = std::vector<std::string>;

/// A board's `config.yml`, which is changed value by value. Comments, order, quotes, line ends and unknown
/// keys keep their bytes, whether lists and maps are written in lines or in brackets.
class SettingsFile {
 public:
  /// An item of a rearranged list: an existing one, or a new one with its text.
  struct Item {
    std::optional<std::size_t> known{};
    std::string text{};
  };

  /// Parses the text. Errors are those of the YAML parser, or a conflict marker of git.
  static core::Result<SettingsFile> parse(std::string text, std::string_view name);

  std::string const& text() const { return text_; }
  reflect::YamlNode const& root() const { return root_; }
  /// Returns null when there is no such value.
  reflect::YamlNode const* find(Path const& path) const;
  /// The text of a scalar; empty when there is none.
  std::string word(Path const& path) const;

  /// Gives a key a value of one line, in the form in which it is written. Missing maps on the path are
  /// created. A new top-level key is placed after the nearest key that precedes it in kanban-md's order.
  void set(Path const& path, std::string_view value);
  /// Gives a key a text, with the quotes that it needs at its place.
  void set_text(Path const& path, std::string_view text);
  /// Replaces the key and its value by lines, which include their indentation and line ends.
  void set_lines(std::string const& key, std::string_view lines);
  void remove(Path const& path);
  /// Gives a list these items in this order. Comments before an item move with it.
  void arrange(std::string const& key, std::vector<Item> const& items);
  /// Turns an item that is a text into a map with that text as `name`.
  void name_item(Path const& path);

 private:
  void splice(std::size_t from, std::size_t to, std::string_view with);
  bool is_bracketed(reflect::YamlNode const& node) const;
  /// Whether a list or map in brackets contains the value.
  bool is_in_brackets(Path const& path) const;
  /// The line after a value.
  std::size_t after(reflect::YamlNode const& node) const;
  std::size_t line_of(std::size_t at) const;
  void replace(reflect::YamlEntry const& entry, std::string_view value);
  void add(Path const& path, reflect::YamlNode const& parent, std::string_view value);
  std::string raw(reflect::YamlNode const& node) const {
    return text_.substr(node.begin, node.end - node.begin);
  }

  std::string text_;
  std::string name_;
  reflect::YamlNode root_;
};

}  // namespace andon::store::markdown
