#pragma once

#include <string_view>

namespace andon::runner {

/// Shannon's entropy in bits per character.
double entropy_of(std::string_view text);

/// True for a token that documents use as an example: it says so, repeats few characters or counts on.
bool is_example(std::string_view secret);

/// True when the text has both digits and letters, as random ones do.
bool has_digits_and_letters(std::string_view text);

}  // namespace andon::runner
