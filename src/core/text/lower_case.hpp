#pragma once

#include <string>
#include <string_view>

namespace andon::core {

/// The text with every letter that has a small form of its own in that form (the simple mappings of Unicode
/// 14, those of one character to one). What is not UTF-8 stays as it is.
std::string lower_case(std::string_view text);

}  // namespace andon::core
