#include "core/runs/work_branch.hpp"

#include <charconv>
#include <cstddef>

#include "core/text/names.hpp"

namespace andon::core {
namespace {

constexpr std::size_t kWorkSlugBytes = 40;

}  // namespace

std::string work_name(TaskId task, std::string_view title) {
  auto const words = slug(title, kWorkSlugBytes);
  return std::to_string(task) + "-" + (words.empty() ? "task" : words);
}

TaskId task_of_work(std::string_view name) {
  std::int64_t number = 0;
  auto const [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  auto const rest = name.substr(static_cast<std::size_t>(end - name.data()));
  return error == std::errc{} && number > 0 && rest.starts_with('-') ? TaskId{number} : TaskId{};
}

}  // namespace andon::core
