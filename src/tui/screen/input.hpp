#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tui/screen/cell_buffer.hpp"

namespace andon::tui {

enum class Key {
  character,
  enter,
  tab,
  back_tab,
  escape,
  backspace,
  remove,  ///< the key Delete
  up,
  down,
  left,
  right,
  home,
  end,
  page_up,
  page_down,
};

/// A key was pressed.
struct KeyPress {
  Key key = Key::character;
  std::string text{};  ///< of `character`: one character in UTF-8; with Control a lower-case letter
  bool control = false;
  bool alt = false;
  bool operator==(KeyPress const&) const = default;
};

/// The mouse did something at a cell.
struct MouseEvent {
  enum class What { press, release, drag, wheel_up, wheel_down };
  What what = What::press;
  Point at{};
  bool is_left = true;    ///< or no button is known (a release in the X10 form)
  bool modified = false;  ///< with Shift, Alt or Control
  bool operator==(MouseEvent const&) const = default;
};

/// Text came in one piece, from a clipboard (bracketed paste): valid UTF-8 with `\n` for its line ends, at
/// most 1 MiB. It may hold control characters.
struct Paste {
  std::string text;
  bool operator==(Paste const&) const = default;
};

using Input = std::variant<KeyPress, MouseEvent, Paste>;

/// Takes apart the bytes that a terminal sends: UTF-8, control sequences (ECMA-48, the keys of xterm and of
/// VT220), mouse reports in the forms SGR and X10, bracketed paste. What it does not know it leaves out.
class InputReader {
 public:
  /// The inputs that are complete by now. The start of another one is kept.
  std::vector<Input> take(std::string_view bytes);
  /// True while an Escape that was read may be a key or the start of a sequence. After some 25 ms without a
  /// further byte it is a key: call `flush`. A longer start of a sequence, of a character or of a paste
  /// stays, however slow the line is.
  bool is_open() const;
  std::vector<Input> flush();

 private:
  std::string rest_;  ///< the start of an element; bounded by the longest paste
};

}  // namespace andon::tui
