#include "runner/secrets/likely_secret.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>

#include "core/text/ascii.hpp"

namespace andon::runner {
namespace {

constexpr std::size_t kLeastOfToken = 12;  ///< characters; a shorter secret is a password of a person
constexpr std::size_t kLeastVariety = 6;   ///< different characters of a token
constexpr std::size_t kLeastRun = 6;       ///< equal characters in a row
constexpr std::array<std::string_view, 8> kCounting{"123456789", "012345678", "987654321", "abcdefgh",
                                                    "hgfedcba",  "qwertyui",  "deadbeef",  "cafebabe"};
constexpr std::array<std::string_view, 11> kWords{"example", "sample",   "placeholder", "changeme",
                                                  "dummy",   "redacted", "your_",       "your-",
                                                  "insert_", "fake",     "not_a_real"};

std::array<std::size_t, 256> counts_of(std::string_view text) {
  std::array<std::size_t, 256> out{};
  for (char const c : text) ++out[static_cast<unsigned char>(c)];
  return out;
}

bool has_any(std::string_view text, auto const& words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return text.contains(word); });
}

/// The most equal characters in a row.
std::size_t longest_run(std::string_view text) {
  std::size_t out = 0;
  for (std::size_t at = 0; at < text.size();) {
    auto const end = std::min(text.find_first_not_of(text[at], at), text.size());
    out = std::max(out, end - at);
    at = end;
  }
  return out;
}

/// Base64 of zeros has such a run as well, but it is only a small part.
bool stands_still(std::string_view text) {
  auto const run = longest_run(text);
  return run >= kLeastRun && run * 3 >= text.size();
}

}  // namespace

double entropy_of(std::string_view text) {
  double out = 0;
  for (auto const count : counts_of(text)) {
    if (count == 0) continue;
    auto const share = static_cast<double>(count) / static_cast<double>(text.size());
    out -= share * std::log2(share);
  }
  return out;
}

bool is_example(std::string_view secret) {
  auto const lower = core::ascii_lower(secret);
  if (has_any(lower, kWords)) return true;
  if (secret.size() < kLeastOfToken) return false;
  auto const counts = counts_of(lower);
  auto const variety = std::ranges::count_if(counts, [](auto count) { return count > 0; });
  return static_cast<std::size_t>(variety) < kLeastVariety || stands_still(lower);
}

bool counts_on(std::string_view secret) { return has_any(core::ascii_lower(secret), kCounting); }

bool has_digits_and_letters(std::string_view text) {
  return std::ranges::any_of(text, &core::is_ascii_digit) &&
         std::ranges::any_of(text, &core::is_ascii_letter);
}

}  // namespace andon::runner
