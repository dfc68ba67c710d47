#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace andon::runner {

/// Finds any of many values in a text in one pass: by their first two bytes, their first eight, then whole. A
/// value of less than eight bytes is never found, since it stands in ordinary text.
class ValueFinder {
 public:
  explicit ValueFinder(std::vector<std::string> const& values);

  /// The place of the first value at `from` or behind it.
  std::optional<std::size_t> find(std::string_view text, std::size_t from = 0) const;
  bool empty() const { return by_beginning_.empty(); }

 private:
  std::bitset<65'536> first_two_;
  std::unordered_multimap<std::uint64_t, std::string> by_beginning_;
};

}  // namespace andon::runner
