#include "http/access/credentials.hpp"

#include "core/text/ascii.hpp"
#include "os/digest.hpp"

namespace andon::http {
namespace {

constexpr std::string_view kBearer = "bearer ";

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

std::string_view cookie_named(std::string_view cookies, std::string_view name) {
  while (!cookies.empty()) {
    auto const end = std::min(cookies.find(';'), cookies.size());
    auto const pair = trimmed(cookies.substr(0, end));
    cookies.remove_prefix(std::min(end + 1, cookies.size()));
    if (pair.starts_with(name) && pair.substr(name.size()).starts_with('='))
      return pair.substr(name.size() + 1);
  }
  return {};
}

}  // namespace

std::string hash_of(std::string_view secret) { return os::hex(os::sha256(secret)); }

std::optional<Credential> credential_of(Request const& request) {
  if (auto const text = request.header(Field::authorization); !text.empty()) {
    if (core::ascii_lower(text.substr(0, kBearer.size())) != kBearer) return std::nullopt;
    return Credential{hash_of(trimmed(text.substr(kBearer.size()))), false};
  }
  auto const cookie = cookie_named(request.header(Field::cookie), kSessionCookie);
  if (cookie.empty()) return std::nullopt;
  return Credential{hash_of(cookie), true};
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
