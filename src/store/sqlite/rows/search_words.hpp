#pragma once

#include <string>
#include <string_view>

namespace andon::store::sqlite {

/// The search expression that finds texts in which these words stand together. Nothing in the text acts as an
/// operator. Empty when it holds no word.
std::string search_phrase(std::string_view text);

}  // namespace andon::store::sqlite
