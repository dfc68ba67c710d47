#include <cstdlib>

#include "cli/import/import_file.hpp"

/// Every row becomes a task with a title and a name, or a remark.
extern "C" int LLVMFuzzerTestOneInput(unsigned char const* data, std::size_t size) {
  auto const read = andon::cli::import_csv({reinterpret_cast<char const*>(data), size}, "input");
  if (!read) return 0;
  for (auto const& item : read->items)
    if (item.ref.empty() || !item.fields.contains("title")) std::abort();
  return 0;
}
