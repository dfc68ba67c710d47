#pragma once

#include <array>
#include <string>
#include <string_view>

namespace andon::core {

/// The kinds of those who give the verdict on the work of a board.
enum class Reviewer {
  person,
  checks,  ///< the board's checks, without a person when they pass
  role,    ///< the workers of a role
  unknown  ///< a text of a settings file that means nothing to Andon; a person gives the verdict
};

/// The one who gives the verdict on a board: `person`, `checks` or `role:NAME`.
struct ReviewBy {
  Reviewer kind = Reviewer::person;
  std::string name{};  ///< the role's; of an unknown kind the whole text, so that it is written as it was
  bool operator==(ReviewBy const&) const = default;
};

std::string to_text(ReviewBy const& by);
/// Parses any text: one without a meaning is of the kind `unknown`.
ReviewBy parse_review_by(std::string_view text);

/// The rule of a task for reviews: that of its board, or its own.
enum class ReviewRule { inherit, required, none };
inline constexpr std::array<std::string_view, 3> kReviewRuleNames{"inherit", "required", "none"};
constexpr auto const& wire_names(ReviewRule) { return kReviewRuleNames; }

}  // namespace andon::core
