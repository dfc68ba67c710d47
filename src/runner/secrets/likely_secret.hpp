#pragma once

#include <string_view>

namespace andon::runner {

/// Shannon's entropy in bits per character.
double entropy_of(std::string_view text);

/// True for a token that documents use as an example: it says so, or repeats few characters.
bool is_example(std::string_view secret);

/// True for a text that counts on, such as `123456789` or `abcdefgh`. A token with the form of one vendor is
/// a secret all the same; a value without such a form is an example.
bool counts_on(std::string_view secret);

/// True when the text has both digits and letters, as random ones do.
bool has_digits_and_letters(std::string_view text);

}  // namespace andon::runner
