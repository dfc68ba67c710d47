#include "http/access/credentials.hpp"

#include "core/text/ascii.hpp"
#include "os/digest.hpp"

namespace andon::http {
namespace {

constexpr std::string_view kBearer = "bearer ";
/// Secrets that earlier versions gave to browsers as cookies. Browsers still send those to every port of the
/// host, so they are no credentials.
constexpr std::string_view kCookiePrefix = "andon_s_";

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

}  // namespace

std::string hash_of(std::string_view secret) { return os::hex(os::sha256(secret)); }

std::optional<Credential> credential_of(Request const& request) {
  auto const text = request.header(Field::authorization);
  if (core::ascii_lower(text.substr(0, kBearer.size())) != kBearer) return std::nullopt;
  auto const secret = trimmed(text.substr(kBearer.size()));
  if (secret.starts_with(kCookiePrefix)) return std::nullopt;
  return Credential{hash_of(secret), secret.starts_with(kPageSecretPrefix)};
}

void Credentials::look_up(std::string const& hash, Found found) {
  if (auto known = executor_.principal(hash)) return found(*std::move(known));
  executor_.look_up(hash, [mailbox = mailbox_,
                           found = std::move(found)](core::Result<service::Principal> principal) mutable {
    mailbox->post([found = std::move(found), principal = std::move(principal)]() mutable {
      found(std::move(principal));
    });
  });
}

}  // namespace andon::http
