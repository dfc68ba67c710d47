#pragma once

#include <string>
#include <string_view>

namespace andon::store::sqlite {

/// Turns what a person typed into a search expression that finds texts with all of the words; "quoted words" must
/// stand together. Nothing in the text acts as an operator. Empty when there is nothing to look for.
std::string search_expression(std::string_view text);

}  // namespace andon::store::sqlite
