#include "tui/screen/mouse_report.hpp"

#include <algorithm>

// The button of a report (xterm, "Mouse Tracking"): 0–2 the buttons, 3 none of them, 4 Shift, 8 Alt, 16
// Control, 32 a move, 64 the wheel, 128 further buttons.

namespace andon::tui {
namespace {

constexpr unsigned kButtons = 3;
constexpr unsigned kNoButton = 3;
constexpr unsigned kModifiers = 4 | 8 | 16;
constexpr unsigned kMove = 32;
constexpr unsigned kWheel = 64;
constexpr unsigned kFurther = 128;

/// The event of a report, without its place. `is_release` is for forms that tell a release apart from the
/// button.
std::optional<MouseEvent> event_of(unsigned bits, bool is_release) {
  using What = MouseEvent::What;
  auto const button = bits & kButtons;
  MouseEvent event{.modified = (bits & kModifiers) != 0};
  if ((bits & kFurther) != 0) return std::nullopt;
  if ((bits & kWheel) != 0) {
    if (is_release || button > 1) return std::nullopt;
    event.what = button == 0 ? What::wheel_up : What::wheel_down;
    return event;
  }
  event.what = is_release ? What::release : (bits & kMove) != 0 ? What::drag : What::press;
  event.is_left = button == 0 || (is_release && button == kNoButton);
  if (button == kNoButton && !is_release) return std::nullopt;
  return event;
}

std::optional<Input> placed(std::optional<MouseEvent> event, int column, int row) {
  if (!event || column < 1 || row < 1) return std::nullopt;
  event->at = {column - 1, row - 1};
  return *event;
}

}  // namespace

std::optional<std::vector<int>> numbers_of(std::string_view parameters) {
  constexpr int kMost = 1'000'000;
  std::vector<int> numbers{0};
  for (char const c : parameters) {
    if (c == ';')
      numbers.push_back(0);
    else if (c >= '0' && c <= '9' && numbers.back() < kMost / 10)
      numbers.back() = numbers.back() * 10 + (c - '0');
    else
      return std::nullopt;
  }
  return numbers;
}

std::optional<Input> sgr_mouse_event(std::vector<int> const& numbers, char final) {
  if (final != 'M' && final != 'm') return std::nullopt;
  return placed(event_of(static_cast<unsigned>(numbers[0]), final == 'm'), numbers[1], numbers[2]);
}

std::optional<Input> x10_mouse_event(int button, int column, int row) {
  auto const bits = static_cast<unsigned>(button);
  bool const is_release = (bits & kButtons) == kNoButton && (bits & (kMove | kWheel)) == 0;
  return placed(event_of(bits, is_release), column, row);
}

}  // namespace andon::tui
