#include "os/qr_code.hpp"

#include <array>

#include <doctest/doctest.h>

using namespace andon;

namespace {

using Rows = std::vector<std::string>;

constexpr std::array<std::string_view, 7> kFinder{"1111111", "1000001", "1011101", "1011101",
                                                  "1011101", "1000001", "1111111"};

bool has_finder(Rows const& rows, std::size_t left, std::size_t top) {
  for (std::size_t y = 0; y < kFinder.size(); ++y)
    if (rows[top + y].substr(left, kFinder.size()) != kFinder[y]) return false;
  return true;
}

/// The format bits beside the upper left finder, unmasked (ISO/IEC 18004, 7.9): the first two are the level.
int level_of(Rows const& rows) {
  constexpr int kMask = 0b10'1010000010010 >> 13;
  int const first = rows[8][0] - '0';
  int const second = rows[8][1] - '0';
  return (first * 2 + second) ^ kMask;
}

}  // namespace

TEST_CASE("QrCode.HasThreeFindersAndTheTimingBetweenThem") {
  auto const rows = os::qr_code("http://192.168.77.5:7420/#code=andon_c_" + std::string(64, 'a'));
  auto const size = rows.size();
  CHECK(size == 41);  // version 6 holds 106 bytes at level M
  for (auto const& row : rows) CHECK(row.size() == size);
  CHECK(has_finder(rows, 0, 0));
  CHECK(has_finder(rows, size - 7, 0));
  CHECK(has_finder(rows, 0, size - 7));
  CHECK_FALSE(has_finder(rows, size - 7, size - 7));
  for (std::size_t x = 8; x < size - 8; ++x) CHECK(rows[6][x] == (x % 2 == 0 ? '1' : '0'));
}

TEST_CASE("QrCode.CorrectsErrorsAtLevelM") {
  constexpr int kLevelM = 0b00;
  CHECK(level_of(os::qr_code("http://192.168.77.5:7420/")) == kLevelM);
  CHECK(level_of(os::qr_code("A")) == kLevelM);
}

TEST_CASE("QrCode.GrowsWithItsText") {
  CHECK(os::qr_code("A").size() == 21);
  CHECK(os::qr_code(std::string(200, 'x')).size() > os::qr_code(std::string(100, 'x')).size());
}
