#include "store/markdown/sync/repair.hpp"

#include <algorithm>

#include "core/text/names.hpp"
#include "store/markdown/files/task_name.hpp"

namespace andon::store::markdown {

std::string keeper_of(core::TaskId id, std::vector<std::string> const& names) {
  auto const found = std::ranges::find_if(names, [&](auto const& name) { return id_in_name(name) == id; });
  return found == names.end() ? names.front() : *found;
}

std::string repaired_name(core::TaskId id, std::string_view title) {
  auto const wanted = file_name_of(id, title);
  return core::slug(title).empty() ? wanted.substr(0, wanted.size() - 3) + "task.md" : wanted;
}

}  // namespace andon::store::markdown
