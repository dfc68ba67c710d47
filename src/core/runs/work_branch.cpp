#include "core/runs/work_branch.hpp"

#include <algorithm>
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

TaskId task_of_branch(std::string_view branch) {
  auto const slash = branch.rfind('/');
  return slash == std::string_view::npos ? TaskId{} : task_of_work(branch.substr(slash + 1));
}

bool is_branch_of_task(std::string_view branch, TaskId task, std::string_view prefix) {
  auto const folder = branch.substr(0, std::min(branch.rfind('/'), branch.size()));
  return task_of_branch(branch) == task && (folder == prefix || folder == kUsualPrefix);
}

}  // namespace andon::core
