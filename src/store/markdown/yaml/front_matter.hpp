#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "reflect/yaml.hpp"

namespace andon::store::markdown {

/// A key of the front matter with its value and where its bytes are.
struct Entry {
  std::string key;
  reflect::YamlNode value;
  std::size_t begin = 0;  ///< of its first line
  std::size_t colon = 0;  ///< behind the colon
  std::size_t text = 0;   ///< where the value begins on the key's line; the line's end when it begins below
  std::size_t end = 0;    ///< behind the value's last mark
  std::size_t next = 0;   ///< the line after the value
  bool one_line = true;   ///< the value stands beside its key
};

/// A value to be written.
struct NewValue {
  enum class Kind { none, text, list };
  Kind kind = Kind::none;
  std::string text{};                ///< as it stands in the file
  std::vector<std::string> items{};  ///< texts, not yet quoted
  bool as_they_are = false;          ///< the items need no quotes, for they are numbers
  bool operator==(NewValue const&) const = default;
};

/// A task's file: YAML between two lines of `---`, then Markdown. What is not changed keeps its bytes:
/// unknown keys, order, quotes, comments and line ends.
class FrontMatter {
 public:
  /// Refusals begin with `NAME:LINE:COLUMN:` and say what was expected.
  static core::Result<FrontMatter> parse(std::string text, std::string_view name);
  /// An empty front matter without a body.
  static FrontMatter empty();

  Entry const* find(std::string_view key) const;
  std::vector<Entry> const& entries() const { return entries_; }
  /// Without blank lines before it and one line end after it; line ends are `\n`.
  std::string body() const;
  /// A text as `body()` gives it once it is the body of a file.
  static std::string as_body(std::string_view text);

  /// Gives the key a value or, with none, takes it out. A new key stands after the nearest one that precedes
  /// it in `order`.
  void set(std::string_view key, NewValue const& value, std::vector<std::string_view> const& order);
  /// Gives the key the lines it has in another file, or takes it out where that has none.
  void take(std::string_view key, FrontMatter const& from, std::vector<std::string_view> const& order);
  void set_body(std::string_view body);
  /// The text with all changes.
  std::string text() const;

 private:
  struct Splice {
    std::size_t at;
    std::size_t length;
    std::string text;
    std::size_t rank;    ///< of texts put at the same place
    std::size_t number;  ///< of this change; of texts with one rank the first comes first
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
  std::size_t after_ = 0;  ///< behind it
  bool carriage_returns_ = false;
  std::vector<Entry> entries_;
  std::vector<Splice> splices_;
};

}  // namespace andon::store::markdown
