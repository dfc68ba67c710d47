#include "main/phone_link_text.hpp"

namespace andon::main {
namespace {

constexpr int kMargin = 4;
constexpr std::string_view kBlackOnWhite = "\x1b[38;5;16;48;5;231m";
constexpr std::string_view kReset = "\x1b[0m";

bool is_dark(std::span<std::string const> rows, int x, int y) {
  auto const size = static_cast<int>(rows.size());
  if (x < 0 || y < 0 || x >= size || y >= size) return false;
  return rows[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)] == '1';
}

std::string_view block(bool is_upper_dark, bool is_lower_dark) {
  if (is_upper_dark) return is_lower_dark ? "█" : "▀";
  return is_lower_dark ? "▄" : " ";
}

}  // namespace

std::string qr_code_text(std::span<std::string const> rows) {
  auto const size = static_cast<int>(rows.size());
  std::string out;
  for (int y = -kMargin; y < size + kMargin; y += 2) {
    out += kBlackOnWhite;
    for (int x = -kMargin; x < size + kMargin; ++x)
      out += block(is_dark(rows, x, y), is_dark(rows, x, y + 1));
    out.append(kReset).append("\n");
  }
  return out;
}

}  // namespace andon::main
