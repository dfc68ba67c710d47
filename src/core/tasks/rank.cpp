#include "core/tasks/rank.hpp"

#include <algorithm>

namespace andon::core {
namespace {

constexpr std::string_view kDigits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
constexpr std::size_t kBase = kDigits.size();

std::size_t value(char digit) { return std::min(kDigits.find(digit), kBase - 1); }

/// Ranks are fractions in (0, 1); digit 0 is what stands beyond the end of `below`, kBase beyond an open end.
std::size_t low_digit(std::string_view below, std::size_t at) {
  return at < below.size() ? value(below[at]) : 0;
}
std::size_t high_digit(std::string_view above, std::size_t at) {
  return at < above.size() ? value(above[at]) : kBase;
}

}  // namespace

std::string rank_of(TaskId id) {
  std::string digits;
  for (auto rest = static_cast<std::uint64_t>(std::max<std::int64_t>(id, 0)); rest != 0 || digits.empty();
       rest /= kBase)
    digits += kDigits[rest % kBase];
  // The first character tells the length, so that longer numbers sort later; 'a' leaves 36 digits free below.
  std::string rank(1, kDigits[kDigits.find('a') + std::min<std::size_t>(digits.size() - 1, 11)]);
  rank.append(digits.rbegin(), digits.rend());
  if (rank.back() == '0') rank += 'V';  // no rank ends in 0: nothing would fit before it
  return rank;
}

std::string rank_between(std::string_view below, std::string_view above) {
  std::string out;
  bool bounded = !above.empty();
  for (std::size_t at = 0;; ++at) {
    auto const low = low_digit(below, at);
    auto const high = bounded ? high_digit(above, at) : kBase;
    if (low == high) {
      out += kDigits[low];
      continue;
    }
    if (high - low > 1) {
      out += kDigits[low + (high - low) / 2];
      return out;
    }
    out +=
        kDigits[low];  // neighbours: go on below `above`, anything greater than the rest of `below` will do
    bounded = false;
  }
}

}  // namespace andon::core
