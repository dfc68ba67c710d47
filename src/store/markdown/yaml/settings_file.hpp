#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "reflect/yaml.hpp"

namespace andon::store::markdown {

/// Where a value is: names of keys, and numbers of items from 0.
using Path = std::vector<std::string>;

/// A board's `config.yml`, changed value by value: comments, order, quotes, line ends and keys that nobody
/// knows keep their bytes, whether lists and maps stand in lines or in brackets.
class SettingsFile {
 public:
  /// An item of a list that is arranged anew: one that is there, or a new one with its text.
  struct Item {
    std::optional<std::size_t> known{};
    std::string text{};
  };

  /// Refusals are those of the YAML parser.
  static core::Result<SettingsFile> parse(std::string text, std::string_view name);

  std::string const& text() const { return text_; }
  reflect::YamlNode const& root() const { return root_; }
  /// Null when there is no such value.
  reflect::YamlNode const* find(Path const& path) const;
  /// The text of a scalar, empty when there is none.
  std::string word(Path const& path) const;

  /// Gives a key a value that stands on one line, as it is to be written. Maps on the way are made where they
  /// are missing; a new key of the file stands after the nearest that precedes it in kanban-md's order.
  void set(Path const& path, std::string_view value);
  /// The same with a text, which gets the quotes it needs there.
  void set_text(Path const& path, std::string_view text);
  /// Replaces whatever the key holds by lines, which come with their indentation and line ends.
  void set_lines(std::string const& key, std::string_view lines);
  void remove(Path const& path);
  /// Gives a list these items in this order. Comments before an item go where it goes.
  void arrange(std::string const& key, std::vector<Item> const& items);
  /// Makes an item that is a text a map whose `name` it is.
  void name_item(Path const& path);

 private:
  void splice(std::size_t from, std::size_t to, std::string_view with);
  bool is_bracketed(reflect::YamlNode const& node) const;
  /// Whether a value stands somewhere in brackets.
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
