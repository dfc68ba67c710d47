#include "core/work_branch.hpp"

#include <charconv>

#include "core/names.hpp"

namespace andon::core {
namespace {

constexpr std::size_t kWorkSlugBytes = 40;

}  // namespace

std::string work_name(TaskId task, std::string_view title) {
  auto const words = slug(title, kWorkSlugBytes);
  return std::to_string(task) + "-" + (words.empty() ? "task" : words);
}

TaskId task_of_work(std::string_view name) {
  TaskId id = 0;
  auto const* end = name.data() + name.size();
  auto const parsed = std::from_chars(name.data(), end, id);
  bool const is_name = parsed.ec == std::errc{} && id > 0 && parsed.ptr != end && *parsed.ptr == '-';
  return is_name ? id : 0;
}

}  // namespace andon::core
