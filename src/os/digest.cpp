#include "os/digest.hpp"

#include <algorithm>

// OpenSSL deprecates the calls for one algorithm, but they do not load its providers. Every command computes
// a digest, so the start must be quick.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/crypto.h>
#include <openssl/sha.h>

#include "core/text/hex.hpp"

namespace andon::os {

Sha256 sha256(std::string_view data) {
  Sha256 out{};
  SHA256_CTX context;
  ::SHA256_Init(&context);
  ::SHA256_Update(&context, data.data(), data.size());
  ::SHA256_Final(reinterpret_cast<unsigned char*>(out.data()), &context);
  return out;
}

Sha256 hmac_sha256(std::string_view key, std::string_view data) {
  constexpr std::size_t kBlock = 64;
  constexpr char kInner = 0x36;
  constexpr char kOuter = 0x5c;
  std::string inner(kBlock, kInner);
  std::string outer(kBlock, kOuter);
  for (std::size_t i = 0; i < std::min(key.size(), kBlock); ++i) {
    inner[i] = static_cast<char>(inner[i] ^ key[i]);
    outer[i] = static_cast<char>(outer[i] ^ key[i]);
  }
  auto const first = sha256(inner.append(data));
  outer.append(reinterpret_cast<char const*>(first.data()), first.size());
  return sha256(outer);
}

std::string hex(std::span<std::byte const> data) {
  return core::to_hex({reinterpret_cast<char const*>(data.data()), data.size()});
}

bool same_secret(std::string_view a, std::string_view b) {
  auto const left = sha256(a);
  auto const right = sha256(b);
  return ::CRYPTO_memcmp(left.data(), right.data(), left.size()) == 0;
}

}  // namespace andon::os
