#include "store/markdown/sync/repair.hpp"

#include <algorithm>

#include "core/text/names.hpp"

namespace andon::store::markdown {

std::string keeper_of(FileNumber number, std::vector<std::string> const& names) {
  auto const found =
      std::ranges::find_if(names, [&](auto const& name) { return number_in_name(name) == number; });
  return found == names.end() ? names.front() : *found;
}

std::string repaired_name(FileNumber number, std::string_view title) {
  auto const wanted = file_name_of(number, title);
  return core::slug(title).empty() ? wanted.substr(0, wanted.size() - 3) + "task.md" : wanted;
}

}  // namespace andon::store::markdown
