#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "reflect/yaml.hpp"

namespace andon::store::markdown {

/// A key of the front matter with its value and the places of its bytes in the text.
struct Entry {
  std::string key;
  reflect::YamlNode value;
  std::size_t begin = 0;  ///< of its first line
  std::size_t colon = 0;  ///< behind the colon
  std::size_t text = 0;   ///< where the value begins on the key's line; behind the colon when it begins on a
                          ///< later line
  std::size_t end = 0;    ///< behind the last character of the value
  std::size_t next = 0;   ///< the line after the value
  bool one_line = true;   ///< whether the value is on the line of its key
};

/// A value that is to be written.
struct NewValue {
  enum class Kind { none, text, list };
  Kind kind = Kind::none;
  std::string text{};                ///< as it is written in the file
  std::vector<std::string> items{};  ///< texts, not yet quoted
  bool as_they_are = false;          ///< the items are numbers, which need no quotes
  bool operator==(NewValue const&) const = default;
};

/// The file of a task: YAML between two lines of `---`, then Markdown. Unchanged parts keep their bytes:
/// unknown keys, order, quotes, comments and line ends.
class FrontMatter {
 public:
  /// Parses a file. Errors begin with `NAME:LINE:COLUMN:` and describe the expected form.
  static core::Result<FrontMatter> parse(std::string text, std::string_view name);
  /// An empty front matter without a body.
  static FrontMatter empty();

  Entry const* find(std::string_view key) const;
  std::vector<Entry> const& entries() const { return entries_; }
  /// The body without blank lines before it and without one line end after it. Line ends in it are `\n`.
  std::string body() const;
  /// The text that `body()` would return if `text` were the body of a file.
  static std::string as_body(std::string_view text);

  /// Gives the key a value or, for a value of kind `none`, removes the key. A new key is placed after the
  /// nearest key that precedes it in `order`.
  void set(std::string_view key, NewValue const& value, std::vector<std::string_view> const& order);
  /// Gives the key the lines it has in another file, or removes it when that file does not have it.
  void take(std::string_view key, FrontMatter const& from, std::vector<std::string_view> const& order);
  void set_body(std::string_view body);
  /// The text with all changes.
  std::string text() const;

 private:
  struct Splice {
    std::size_t at;
    std::size_t length;
    std::string text;
    std::size_t rank;    ///< order among texts put at one place
    std::size_t number;  ///< order of the changes; among texts of one rank the first comes first
  };
  void replace(std::size_t from, std::size_t to, std::string text, std::size_t rank = 0);
  void add(std::string_view key, std::string lines, std::vector<std::string_view> const& order);
  void change(Entry const& entry, NewValue const& value);
  bool change_items(Entry const& entry, NewValue const& list);
  void change_brackets(reflect::YamlNode const& was, NewValue const& list);
  std::string with_line_ends(std::string_view text) const;

  std::string text_;
  std::size_t first_ = 0;  ///< the line after the first `---`
  std::size_t close_ = 0;  ///< the line of the second `---`
  std::size_t after_ = 0;  ///< behind the line of the second `---`
  bool carriage_returns_ = false;
  std::vector<Entry> entries_;
  std::vector<Splice> splices_;
};

}  // namespace andon::store::markdown
