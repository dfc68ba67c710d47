#pragma once

#include <string>
#include <string_view>

#include "tui/screen/input.hpp"

namespace andon::tui {

/// A text that is being typed.
class TextField {
 public:
  /// In bytes: more than any title or brief that is typed by hand.
  static constexpr std::size_t kLongest = 256U << 10U;

  explicit TextField(bool has_lines = false) : has_lines_(has_lines) {}
  TextField(std::string text, bool has_lines)
      : text_(std::move(text)), at_(text_.size()), has_lines_(has_lines) {}

  /// Applies a key that edits. False for one that does not, such as Enter.
  bool take(KeyPress const& key);
  /// Line ends become blanks where there is only one line. Other control characters are left out. False when
  /// the text would get too long; it is as before then.
  bool insert(std::string_view text);

  std::string const& text() const { return text_; }
  /// The position of the cursor, in bytes.
  std::size_t at() const { return at_; }
  bool is_empty() const { return text_.empty(); }

 private:
  void remove_before();
  void remove_after();
  void remove_word();

  std::string text_;
  std::size_t at_ = 0;
  bool has_lines_ = false;
};

}  // namespace andon::tui
