#include "store/markdown/files/task_name.hpp"

#include <charconv>

#include "core/text/names.hpp"

namespace andon::store::markdown {

std::string file_name_of(core::TaskId id, std::string_view title) {
  auto number = std::to_string(id);
  if (number.size() < 3) number.insert(0, 3 - number.size(), '0');
  return number + "-" + core::slug(title) + ".md";
}

std::optional<core::TaskId> id_in_name(std::string_view name) {
  core::TaskId id = 0;
  auto const [end, error] = std::from_chars(name.data(), name.data() + name.size(), id);
  if (error != std::errc{} || id < 1 || id > kHighestNumber) return std::nullopt;
  return id;
}

bool is_task_name(std::string_view name) { return name.ends_with(".md") && !name.starts_with('.'); }

}  // namespace andon::store::markdown
