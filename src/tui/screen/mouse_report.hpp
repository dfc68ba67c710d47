#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "tui/screen/input.hpp"

namespace andon::tui {

/// The parameters of a control sequence, as `1;5`; an empty one is 0. Nothing for other text, and for numbers
/// of more than six digits.
std::optional<std::vector<int>> numbers_of(std::string_view parameters);

/// The event of a sequence `CSI < button ; column ; row M`, from its three numbers and its last byte, which
/// is `m` for a release. Nothing for buttons and moves that no input stands for.
std::optional<Input> sgr_mouse_event(std::vector<int> const& numbers, char final);

/// The event of a report in the form of X10, from its three numbers.
std::optional<Input> x10_mouse_event(int button, int column, int row);

}  // namespace andon::tui
