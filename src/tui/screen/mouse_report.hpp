#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "tui/screen/input.hpp"

namespace andon::tui {

/// The parameters of a control sequence, as `1;5`; an empty one is 0. Nothing for other text, and for numbers
/// of more than six digits.
std::optional<std::vector<int>> numbers_of(std::string_view parameters);

/// What the sequence `CSI < button ; column ; row M` reports; its three numbers, and its last byte, which is
/// `m` for a release. Nothing for buttons and moves that no input stands for.
std::optional<Input> sgr_mouse_event(std::vector<int> const& numbers, char final);

/// What the three numbers of the form X10 report.
std::optional<Input> x10_mouse_event(int button, int column, int row);

}  // namespace andon::tui
