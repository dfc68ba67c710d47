#include "runner/secrets/value_finder.hpp"

#include <algorithm>
#include <cstring>

namespace andon::runner {
namespace {

constexpr std::size_t kShortest = sizeof(std::uint64_t);  ///< of a value, and the bytes that find it

template <class Number>
Number beginning_of(char const* text) {
  Number out = 0;
  std::memcpy(&out, text, sizeof out);
  return out;
}

}  // namespace

ValueFinder::ValueFinder(std::vector<std::string> const& values) {
  for (auto const& value : values) {
    if (value.size() < kShortest) continue;
    first_two_.set(beginning_of<std::uint16_t>(value.data()));
    by_beginning_.emplace(beginning_of<std::uint64_t>(value.data()), value);
  }
}

std::optional<std::size_t> ValueFinder::find(std::string_view text, std::size_t from) const {
  if (empty()) return std::nullopt;
  for (auto at = from; at + kShortest <= text.size(); ++at) {
    if (!first_two_[beginning_of<std::uint16_t>(text.data() + at)]) continue;
    auto const [first, last] = by_beginning_.equal_range(beginning_of<std::uint64_t>(text.data() + at));
    if (std::any_of(first, last,
                    [&](auto const& entry) { return text.substr(at).starts_with(entry.second); }))
      return at;
  }
  return std::nullopt;
}

}  // namespace andon::runner
