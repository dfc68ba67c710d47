#include "core/tasks/search_query.hpp"

#include <cstdlib>
#include <string_view>

/// Any text is a query or refused at a position within it; what is understood holds something.
extern "C" int LLVMFuzzerTestOneInput(unsigned char const* data, std::size_t size) {
  std::string_view const text{reinterpret_cast<char const*>(data), size};
  auto const query = andon::core::parse_search(text);
  if (!query) {
    for (auto const& [name, value] : query.error().details)
      if (auto const* position = std::get_if<std::int64_t>(&value))
        if (*position < 1 || *position > static_cast<std::int64_t>(size) + 1) std::abort();
    return 0;
  }
  if (query->words.empty() && query->conditions.empty()) std::abort();
  for (auto const& condition : query->conditions)
    if (condition.values.empty()) std::abort();
  return 0;
}
