#include "core/model/byte_size.hpp"

#include <array>
#include <charconv>
#include <limits>

namespace andon::core {
namespace {

struct ByteUnit {
  char letter;
  std::string_view name;
  int shift;
};
constexpr std::array kByteUnits{ByteUnit{'T', "TiB", 40}, ByteUnit{'G', "GiB", 30}, ByteUnit{'M', "MiB", 20},
                                ByteUnit{'K', "KiB", 10}};

char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

/// The power of two behind a number: nothing for an unknown unit.
std::optional<int> shift_of(std::string_view unit) {
  while (!unit.empty() && unit.front() == ' ') unit.remove_prefix(1);
  if (unit.empty() || unit == "B") return 0;
  for (auto const& row : kByteUnits) {
    if (upper(unit.front()) != row.letter) continue;
    auto const rest = unit.substr(1);
    if (rest.empty() || rest == "iB" || rest == "B" || rest == "ib" || rest == "b") return row.shift;
  }
  return std::nullopt;
}

}  // namespace

std::string to_text(ByteSize size) {
  for (auto const& row : kByteUnits)
    if (size.bytes != 0 && size.bytes % (std::int64_t{1} << row.shift) == 0)
      return std::to_string(size.bytes >> row.shift) + std::string{row.name};
  return std::to_string(size.bytes);
}

std::optional<ByteSize> parse_bytes(std::string_view text) {
  std::int64_t number = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || number < 0) return std::nullopt;
  auto const shift = shift_of(text.substr(static_cast<std::size_t>(end - text.data())));
  if (!shift || number > (std::numeric_limits<std::int64_t>::max() >> *shift)) return std::nullopt;
  return ByteSize{number << *shift};
}

std::string rounded(ByteSize size) {
  for (auto const& row : kByteUnits) {
    if (size.bytes < (std::int64_t{1} << row.shift)) continue;
    auto const tenths = (size.bytes * 10) >> row.shift;
    auto const fraction = tenths < 1'000 && tenths % 10 != 0 ? "." + std::to_string(tenths % 10) : "";
    return std::to_string(tenths / 10) + fraction + " " + std::string{row.name};
  }
  return std::to_string(size.bytes) + " B";
}

}  // namespace andon::core
