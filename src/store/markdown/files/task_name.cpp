#include "store/markdown/files/task_name.hpp"

#include <charconv>

#include "core/text/names.hpp"

namespace andon::store::markdown {

std::string file_name_of(FileNumber number, std::string_view title) {
  auto digits = std::to_string(number);
  if (digits.size() < 3) digits.insert(0, 3 - digits.size(), '0');
  return digits + "-" + core::slug(title) + ".md";
}

std::optional<FileNumber> number_in_name(std::string_view name) {
  std::int64_t number = 0;
  auto const [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc{} || number < 1 || number > kHighestNumber) return std::nullopt;
  return FileNumber{number};
}

bool is_task_name(std::string_view name) { return name.ends_with(".md") && !name.starts_with('.'); }

}  // namespace andon::store::markdown
