#include "main/sign_in_link.hpp"

#include "os/digest.hpp"
#include "os/random.hpp"

namespace andon::main {

constexpr std::size_t kSecretBytes = 32;

Secret new_secret(std::string_view prefix) {
  auto text = std::string{prefix} + os::random_hex(kSecretBytes);
  auto hash = os::hex(os::sha256(text));
  return {std::move(text), std::move(hash)};
}

std::string sign_in_link(std::string const& origin, Secret const& code) {
  return origin + "/#code=" + code.text;
}

}  // namespace andon::main
