#include "api/sign_in_link.hpp"

#include "os/digest.hpp"
#include "os/random.hpp"

namespace andon::api {

constexpr std::size_t kSecretBytes = 32;

Secret new_secret(std::string_view prefix) {
  auto text = std::string{prefix} + os::random_hex(kSecretBytes);
  auto hash = os::hex(os::sha256(text));
  return {std::move(text), std::move(hash)};
}

Secret new_sign_in_code() { return new_secret("andon_c_"); }

std::string sign_in_link(std::string_view origin, Secret const& code) {
  return std::string{origin} + "/#code=" + code.text;
}

std::unexpected<core::Error> refuse_phone_link() {
  return core::refuse(core::Code::kConflict,
                      "no other device can reach this server, which listens on this machine only; at home, "
                      "start it with `andon serve --lan`; elsewhere put a proxy that ends TLS in front and "
                      "start it with `--behind-tls-proxy --host NAME`");
}

}  // namespace andon::api
