#include "tui/screen/input.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "core/text/visible_text.hpp"
#include "tui/screen/mouse_report.hpp"

// The bytes of a terminal are a row of
//
//   character   one of UTF-8, or a control character
//   ESC         the key Escape; before a character: that character with Alt
//   sequence    ESC [ parameters final      (CSI; parameters 0x20–0x3F, final 0x40–0x7E)
//               ESC O final                 (SS3)
//               ESC [ M button x y          (a mouse report in the form X10)
//   paste       ESC [ 200 ~ text ESC [ 201 ~
//
// One element at a time is cut from the front of what was read. An element whose end is not there yet stays.
// So that the rest stays small, parameters beyond a limit are dropped while their final byte is awaited, and
// so is the middle of a paste that is too long.

namespace andon::tui {
namespace {

constexpr std::size_t kMostSequence = 64;
constexpr std::size_t kMostPaste = std::size_t{1} << 20U;
constexpr std::string_view kPasteBegin = "\x1b[200~";
constexpr std::string_view kPasteEnd = "\x1b[201~";
constexpr std::string_view kX10 = "\x1b[M";
constexpr std::size_t kX10Size = 6;
constexpr char kEscape = '\x1b';

/// An element at the front of the bytes: its length, 0 while its end is missing, and what it means, if
/// anything.
struct Element {
  std::size_t bytes = 0;
  std::optional<Input> input{};
};

struct FinalKey {
  char final;
  Key key;
};
constexpr std::array kFinals{
    FinalKey{'A', Key::up},       FinalKey{'B', Key::down}, FinalKey{'C', Key::right},
    FinalKey{'D', Key::left},     FinalKey{'H', Key::home}, FinalKey{'F', Key::end},
    FinalKey{'Z', Key::back_tab},
};

struct NumberedKey {
  int number;
  Key key;
};
constexpr std::array kNumbered{
    NumberedKey{1, Key::home},    NumberedKey{3, Key::remove},    NumberedKey{4, Key::end},
    NumberedKey{5, Key::page_up}, NumberedKey{6, Key::page_down}, NumberedKey{7, Key::home},
    NumberedKey{8, Key::end},
};

struct ControlKey {
  char byte;
  Key key;
};
constexpr std::array kControls{
    ControlKey{'\r', Key::enter},       ControlKey{'\n', Key::enter},     ControlKey{'\t', Key::tab},
    ControlKey{'\x7f', Key::backspace}, ControlKey{'\b', Key::backspace},
};

std::optional<Key> key_of_final(char final) {
  auto const* const row = std::ranges::find(kFinals, final, &FinalKey::final);
  return row == kFinals.end() ? std::nullopt : std::optional{row->key};
}

std::optional<Key> key_of_number(int number) {
  auto const* const row = std::ranges::find(kNumbered, number, &NumberedKey::number);
  return row == kNumbered.end() ? std::nullopt : std::optional{row->key};
}

/// The key of a control character: a named one, or a letter with Control.
KeyPress key_of_control(char byte) {
  auto const* const row = std::ranges::find(kControls, byte, &ControlKey::byte);
  if (row != kControls.end()) return {.key = row->key};
  if (byte == 0) return {.text = " ", .control = true};
  bool const is_letter = byte <= 26;
  return {.text = std::string(1, static_cast<char>(byte + (is_letter ? 0x60 : 0x40))), .control = true};
}

bool is_control(char c) { return (c >= 0 && c < 0x20) || c == 0x7F; }
bool is_parameter(char c) { return c >= 0x20 && c <= 0x3F; }
bool is_final(char c) { return c >= 0x40 && c <= 0x7E; }

/// True for the start of a character of UTF-8 that further bytes may complete.
bool is_open_character(std::string_view bytes) {
  auto const first = static_cast<unsigned char>(bytes[0]);
  std::size_t const size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 1;
  if (first > 0xF4 || bytes.size() >= size) return false;
  return std::ranges::all_of(bytes.substr(1),
                             [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; });
}

Element character_at(std::string_view bytes) {
  if (is_control(bytes[0])) return {1, key_of_control(bytes[0])};
  if (is_open_character(bytes)) return {};
  auto const character = core::first_character(bytes);
  if (!character.is_valid) return {1};
  return {character.bytes, KeyPress{.text = std::string{bytes.substr(0, character.bytes)}}};
}

/// A key with the modifiers of xterm: 1 and the sum of 1 for Shift, 2 for Alt, 4 for Control.
std::optional<Input> modified(std::optional<Key> key, int modifiers) {
  if (!key) return std::nullopt;
  auto const bits = static_cast<unsigned>(std::max(modifiers, 1) - 1);
  return KeyPress{.key = *key, .control = (bits & 4U) != 0, .alt = (bits & 2U) != 0};
}

/// The inputs that a CSI sequence stands for, given without its ESC and bracket.
std::optional<Input> meaning_of(std::string_view parameters, char final) {
  if (parameters.starts_with('<')) {
    auto const numbers = numbers_of(parameters.substr(1));
    return numbers && numbers->size() == 3 ? sgr_mouse_event(*numbers, final) : std::nullopt;
  }
  auto numbers = numbers_of(parameters);
  if (!numbers || numbers->size() > 2) return std::nullopt;
  numbers->resize(2);
  auto const [number, modifiers] = std::pair{(*numbers)[0], (*numbers)[1]};
  if (final == '~') return modified(key_of_number(number), modifiers);
  return number <= 1 ? modified(key_of_final(final), modifiers) : std::nullopt;
}

std::string valid_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    auto const character = core::first_character(text);
    if (character.is_valid) out += text.substr(0, character.bytes);
    text.remove_prefix(character.bytes);
  }
  return out;
}

/// Terminals send a carriage return for a line end.
std::string with_line_ends(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    bool const is_return = text[i] == '\r';
    out += is_return ? '\n' : text[i];
    if (is_return && i + 1 < text.size() && text[i + 1] == '\n') ++i;
  }
  return out;
}

Element paste_at(std::string_view bytes) {
  auto const text = bytes.substr(kPasteBegin.size());
  auto const end = text.find(kPasteEnd);
  if (end == std::string_view::npos) return {};
  auto const kept = text.substr(0, std::min(end, kMostPaste));
  return {kPasteBegin.size() + end + kPasteEnd.size(), Paste{with_line_ends(valid_utf8(kept))}};
}

Element x10_at(std::string_view bytes) {
  if (bytes.size() < kX10Size) return {};
  auto const number = [&](std::size_t i) {
    return static_cast<int>(static_cast<unsigned char>(bytes[i])) - 0x20;
  };
  if (number(3) < 0 || number(4) < 0 || number(5) < 0) return {kX10.size()};
  return {kX10Size, x10_mouse_event(number(3), number(4), number(5))};
}

Element csi_at(std::string_view bytes) {
  if (bytes.starts_with(kPasteBegin)) return paste_at(bytes);
  if (bytes.starts_with(kX10)) return x10_at(bytes);
  auto const* const last = std::ranges::find_if_not(bytes.substr(2), is_parameter);
  auto const end = static_cast<std::size_t>(last - bytes.begin());
  if (end == bytes.size()) return {};
  if (!is_final(*last)) return {end};
  // The console of Linux sends its function keys as ESC [ [ A.
  if (*last == '[' && end == 2) return {bytes.size() > 3 ? std::size_t{4} : 0};
  if (end >= kMostSequence) return {end + 1};
  return {end + 1, meaning_of(bytes.substr(2, end - 2), *last)};
}

Element with_alt_at(std::string_view bytes) {
  auto element = character_at(bytes.substr(1));
  if (element.bytes == 0) return {};
  if (!element.input) return {1, KeyPress{.key = Key::escape}};
  std::get<KeyPress>(*element.input).alt = true;
  ++element.bytes;
  return element;
}

Element ss3_at(std::string_view bytes) {
  if (bytes.size() < 3) return {};
  if (!is_final(bytes[2])) return with_alt_at(bytes);
  return {3, modified(key_of_final(bytes[2]), 1)};
}

Element element_at(std::string_view bytes) {
  if (bytes[0] != kEscape) return character_at(bytes);
  if (bytes.size() == 1) return {};
  switch (bytes[1]) {
    case kEscape: return {1, KeyPress{.key = Key::escape}};
    case '[': return csi_at(bytes);
    case 'O': return ss3_at(bytes);
    default: return with_alt_at(bytes);
  }
}

/// Shortens an element whose end is missing. A paste keeps what may be the start of its end, behind a byte
/// that parts it from the text before.
void shorten(std::string& rest) {
  constexpr std::size_t kHead = kPasteBegin.size() + kMostPaste;
  constexpr std::size_t kTail = kPasteEnd.size() - 1;
  if (rest.starts_with(kPasteBegin)) {
    if (rest.size() > kHead + 1 + kTail)
      rest = rest.substr(0, kHead) + '\0' + rest.substr(rest.size() - kTail);
  } else if (rest.size() > kMostSequence + 1) {
    rest.resize(kMostSequence + 1);
  }
}

}  // namespace

std::vector<Input> InputReader::take(std::string_view bytes) {
  rest_ += bytes;
  std::vector<Input> inputs;
  std::size_t begin = 0;
  while (begin < rest_.size()) {
    auto element = element_at(std::string_view{rest_}.substr(begin));
    if (element.bytes == 0) break;
    begin += element.bytes;
    if (element.input) inputs.push_back(std::move(*element.input));
  }
  rest_.erase(0, begin);
  shorten(rest_);
  return inputs;
}

bool InputReader::is_open() const { return rest_ == "\x1b" || rest_ == "\x1b[" || rest_ == "\x1bO"; }

std::vector<Input> InputReader::flush() {
  if (!is_open()) return {};
  auto const bytes = std::exchange(rest_, {});
  if (bytes.size() == 1) return {KeyPress{.key = Key::escape}};
  return {KeyPress{.text = bytes.substr(1), .alt = true}};
}

}  // namespace andon::tui
