#include "core/model/review_by.hpp"

namespace andon::core {
namespace {

constexpr std::string_view kByPerson = "person";
constexpr std::string_view kByChecks = "checks";
constexpr std::string_view kByRole = "role:";

}  // namespace

std::string to_text(ReviewBy const& by) {
  switch (by.kind) {
    case Reviewer::person: return std::string{kByPerson};
    case Reviewer::checks: return std::string{kByChecks};
    case Reviewer::role: return std::string{kByRole} + by.name;
    case Reviewer::unknown: break;
  }
  return by.name;
}

ReviewBy parse_review_by(std::string_view text) {
  if (text == kByPerson) return {Reviewer::person};
  if (text == kByChecks) return {Reviewer::checks};
  if (text.size() > kByRole.size() && text.starts_with(kByRole))
    return {Reviewer::role, std::string{text.substr(kByRole.size())}};
  return {Reviewer::unknown, std::string{text}};
}

}  // namespace andon::core
