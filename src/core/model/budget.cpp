#include "core/model/budget.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

#include "core/model/resource_limits.hpp"

namespace andon::core {

Date day_of(TimeZones const* zones, std::string_view zone, Instant at) {
  bool const is_utc = !zones || zone.empty() || !zones->knows(zone);
  auto const ahead = is_utc ? std::chrono::seconds{} : zones->period(zone, at).ahead;
  return {std::chrono::floor<std::chrono::days>(at + ahead)};
}

std::string plain_money(double usd) {
  std::array<char, 40> text{};
  auto const n = std::snprintf(text.data(), text.size(), "%.2f", usd);
  return {text.data(), static_cast<std::size_t>(n)};
}

Allowance tighter(Allowance const& a, Allowance const& b) {
  return {narrower(a.tokens, b.tokens), narrower(a.usd, b.usd), narrower(a.time, b.time)};
}

}  // namespace andon::core
