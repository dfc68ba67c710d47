#pragma once

#include <string>
#include <string_view>

namespace andon::core {

/// The text with one `#` for each number, whole or with a fraction, so that two messages can be compared that
/// differ in counts, times or ids alone.
std::string without_numbers(std::string_view text);

}  // namespace andon::core
