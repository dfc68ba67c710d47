#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace andon::test {

inline constexpr std::string_view kDigits = "0123456789";
inline constexpr std::string_view kHex = "0123456789abcdef";
inline constexpr std::string_view kLower = "abcdefghijklmnopqrstuvwxyz0123456789";
inline constexpr std::string_view kUpper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
inline constexpr std::string_view kUpper32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
inline constexpr std::string_view kWord = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
inline constexpr std::string_view kBase64 =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Letters that look random and are always the same, so that no source file holds a token.
inline std::string scrambled(std::size_t size, std::string_view letters = kWord, std::uint64_t seed = 1) {
  std::uint64_t state = seed * 0x9E3779B97F4A7C15U + size;
  std::string out;
  while (out.size() < size) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    out += letters[(state >> 33U) % letters.size()];
  }
  return out;
}

/// `-----BEGIN KIND-----` and so on, in parts.
inline std::string pem_mark(std::string_view place, std::string_view kind) {
  return std::string(5, '-') + std::string{place} + " " + std::string{kind} + std::string(5, '-');
}

/// A private key of three lines, with this between them.
inline std::string private_key(std::string_view between = "\n", std::string_view kind = "PRIVATE KEY") {
  auto const gap = std::string{between};
  return pem_mark("BEGIN", kind) + gap + "MII" + scrambled(61, kBase64, 3) + gap + scrambled(64, kBase64, 4) +
         gap + scrambled(20, kBase64, 5) + "==" + gap + pem_mark("END", kind);
}

inline std::string in_base64(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); at += 3) {
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 3; ++i)
      bits = (bits << 8U) | (at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0U);
    for (std::size_t i = 0; i < 4; ++i)
      out += at + i > text.size() ? '=' : kBase64[(bits >> (18U - 6U * i)) & 63U];
  }
  return out;
}

}  // namespace andon::test
