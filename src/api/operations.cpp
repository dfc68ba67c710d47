#include <algorithm>
#include <array>
#include <ranges>
#include <stdexcept>
#include <vector>

#include "api/operation.hpp"

namespace andon::api {
namespace {

std::vector<Operation> joined() {
  std::vector<Operation> out;
  for (auto const table : {board_operations(), task_operations(), attachment_operations(), team_operations(),
                           automation_operations(), run_operations(), runner_operations(), work_operations(),
                           history_operations()})
    out.insert(out.end(), table.begin(), table.end());
  return out;
}

constexpr std::array<std::string_view, 5> kMethods{"GET", "POST", "PUT", "PATCH", "DELETE"};

}  // namespace

std::string_view to_text(Method method) { return kMethods[static_cast<std::size_t>(method)]; }

bool names_field(std::string_view fields, std::string_view field) {
  return std::ranges::any_of(std::views::split(fields, ' '),
                             [&](auto const& part) { return std::string_view{part} == field; });
}

std::span<Operation const> operations() {
  static std::vector<Operation> const all = joined();
  return all;
}

Operation const* find_operation(std::string_view name) {
  for (auto const& operation : operations())
    if (operation.name == name) return &operation;
  return nullptr;
}

Operation const& detail::row_with(void const* function) {
  for (auto const& operation : operations())
    if (operation.function == function) return operation;
  throw std::logic_error("a function is called that no row of the operation table has");
}

}  // namespace andon::api
