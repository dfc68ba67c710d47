#include "os/digest.hpp"

#include <openssl/crypto.h>
#include <openssl/sha.h>

namespace andon::os {

Sha256 sha256(std::string_view data) {
  Sha256 out{};
  ::SHA256(reinterpret_cast<unsigned char const*>(data.data()), data.size(),
           reinterpret_cast<unsigned char*>(out.data()));
  return out;
}

std::string hex(std::span<std::byte const> data) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  text.reserve(data.size() * 2);
  for (auto const byte : data) {
    text += kDigits[std::to_integer<unsigned>(byte) >> 4U];
    text += kDigits[std::to_integer<unsigned>(byte) & 15U];
  }
  return text;
}

bool same_secret(std::string_view a, std::string_view b) {
  auto const left = sha256(a);
  auto const right = sha256(b);
  return ::CRYPTO_memcmp(left.data(), right.data(), left.size()) == 0;
}

}  // namespace andon::os
