#include "core/text/without_numbers.hpp"

#include "core/text/ascii.hpp"

namespace andon::core {

std::string without_numbers(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    bool const is_fraction =
        text[i] == '.' && out.ends_with('#') && i + 1 < text.size() && is_ascii_digit(text[i + 1]);
    if (!is_ascii_digit(text[i]) && !is_fraction)
      out += text[i];
    else if (!out.ends_with('#'))
      out += '#';
  }
  return out;
}

}  // namespace andon::core
