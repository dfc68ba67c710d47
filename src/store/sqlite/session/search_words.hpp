#pragma once

#include <string>
#include <string_view>

namespace andon::store::sqlite {

/// The search expression for texts that contain these words next to each other. No part of the text acts as
/// an operator. Empty when the text has no word.
std::string search_phrase(std::string_view text);

}  // namespace andon::store::sqlite
