#include "core/time/time.hpp"

#include <cstdlib>

/// What is read as a time or a duration is written in a form that reads as the same.
extern "C" int LLVMFuzzerTestOneInput(unsigned char const* data, std::size_t size) {
  using namespace andon::core;
  std::string_view const text{reinterpret_cast<char const*>(data), size};
  if (auto const duration = parse_duration(text); duration && parse_duration(to_text(*duration)) != duration)
    std::abort();
  if (auto const date = parse_date(text); date && parse_date(to_text(*date)) != date) std::abort();
  auto const at = parse_instant(text);
  // An offset may lead out of the four-digit years, which have no text.
  bool const has_text =
      at && *at >= parse_instant("0000-01-01T00:00:00Z") && *at <= parse_instant("9999-12-31T23:59:59.999Z");
  if (has_text && parse_instant(to_text(*at)) != at) std::abort();
  return 0;
}
