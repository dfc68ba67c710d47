#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "reflect/yaml.hpp"

namespace andon::store::markdown {

/// Where a value is: names of keys, and numbers of items from 0.
using Path = std::vector<std::string>;

/// A board's `config.yml`, changed value by value: comments, order, quotes and keys that nobody knows keep
/// their bytes.
class SettingsFile {
 public:
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
  /// Replaces whatever the key holds by lines, which come with their indentation and line ends.
  void set_lines(std::string const& key, std::string_view lines);
  void remove(Path const& path);
  /// Adds an item behind the last one of a list.
  void add_item(std::string const& key, std::string_view item);
  /// Puts `prefix` before the value of an item.
  void put_before(Path const& path, std::string_view prefix);

 private:
  void splice(std::size_t from, std::size_t to, std::string_view with);
  /// The first byte after the lines of a key or an item.
  std::size_t end_of_lines(Path const& path) const;
  std::size_t begin_of_key(Path const& path) const;
  void make_block(std::string const& key);

  std::string text_;
  std::string name_;
  reflect::YamlNode root_;
};

}  // namespace andon::store::markdown
