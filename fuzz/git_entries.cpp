#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "runner/merging/changed_entries.hpp"

// The names and objects of an entry are parts of git's output, so together they are no longer than it.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  auto const read = andon::runner::parse_entries({reinterpret_cast<char const*>(data), size});
  std::size_t bytes = 0;
  for (auto const& entry : read.entries)
    bytes += entry.before.size() + entry.after.size() + entry.path.size();
  if (bytes > 2 * size) std::abort();
  return 0;
}
