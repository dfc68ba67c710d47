#include "os/base64.hpp"

#include <algorithm>

#include <openssl/evp.h>

namespace andon::os {

std::optional<std::string> base64_decoded(std::string_view text) {
  constexpr std::size_t kLongest = 1U << 20U;
  if (text.size() % 4 != 0 || text.size() > kLongest) return std::nullopt;
  if (text.find_first_of("\r\n\t ") != std::string_view::npos) return std::nullopt;
  std::string out(text.size() / 4 * 3, '\0');
  auto const bytes =
      EVP_DecodeBlock(reinterpret_cast<unsigned char*>(out.data()),
                      reinterpret_cast<unsigned char const*>(text.data()), static_cast<int>(text.size()));
  if (bytes < 0) return std::nullopt;
  auto const padding = text.size() - std::min(text.find('='), text.size());
  if (padding > 2) return std::nullopt;
  out.resize(static_cast<std::size_t>(bytes) - padding);
  return out;
}

}  // namespace andon::os
