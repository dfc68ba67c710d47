#include <cstddef>
#include <cstdlib>

#include "core/tasks/pick.hpp"
#include "core/text/names.hpp"

/// Two globs meet or do not meet, whichever is asked first; a glob meets itself.
extern "C" int LLVMFuzzerTestOneInput(unsigned char const* data, std::size_t size) {
  std::string_view const text{reinterpret_cast<char const*>(data), size};
  auto const cut = text.find('\n');
  auto const a = text.substr(0, cut), b = cut == std::string_view::npos ? a : text.substr(cut + 1);
  if (andon::core::globs_overlap(a, b) != andon::core::globs_overlap(b, a)) std::abort();
  if (!andon::core::globs_overlap(a, a)) std::abort();
  auto const beginning = andon::core::beginning(text, size / 2);
  if (!andon::core::is_unsafe_line(text) && andon::core::is_unsafe_line(beginning)) std::abort();
  return 0;
}
