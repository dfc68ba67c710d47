#include "core/tasks/review_rule.hpp"

#include <algorithm>
#include <array>

namespace andon::core {
namespace {

constexpr std::array<std::string_view, 2> kJudgingRoles{"qa", "planner"};

/// True when the work of the role is itself a review or a plan.
bool is_judging(Board const& board, std::string_view role) {
  return !role.empty() &&
         (std::ranges::find(kJudgingRoles, role) != kJudgingRoles.end() || role == reviewer_of(board));
}

}  // namespace

std::string_view reviewer_of(Board const& board) {
  auto const& by = board.review_by;
  return by.kind == Reviewer::role ? std::string_view{by.name} : std::string_view{};
}

bool needs_review(Board const& board, Task const& task) {
  if (!review_column(board)) return false;
  if (task.review != ReviewRule::inherit) return task.review == ReviewRule::required;
  return !is_judging(board, task.role);
}

bool is_done_in_words(Board const& board, Task const& task) {
  if (task.review != ReviewRule::inherit) return task.review == ReviewRule::none;
  return task.state.reviews != 0 || is_judging(board, task.role);
}

}  // namespace andon::core
