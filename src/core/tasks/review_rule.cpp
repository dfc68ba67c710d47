#include "core/tasks/review_rule.hpp"

#include <algorithm>
#include <array>

namespace andon::core {
namespace {

/// Roles whose work is itself a review or a plan.
constexpr std::array<std::string_view, 2> kNotReviewed{"qa", "planner"};

}  // namespace

std::string_view reviewer_of(Board const& board) {
  auto const& by = board.review_by;
  return by.kind == Reviewer::role ? std::string_view{by.name} : std::string_view{};
}

bool needs_review(Board const& board, Task const& task) {
  if (!review_column(board)) return false;
  if (task.review != ReviewRule::inherit) return task.review == ReviewRule::required;
  return task.role.empty() || (std::ranges::find(kNotReviewed, task.role) == kNotReviewed.end() &&
                               task.role != reviewer_of(board));
}

}  // namespace andon::core
