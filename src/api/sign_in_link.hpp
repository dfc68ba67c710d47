#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "core/field.hpp"
#include "core/time/time.hpp"

namespace andon::api {

/// A one-time secret, and its hash for the store.
struct Secret {
  std::string text;
  std::string hash;
};
/// `prefix` makes the secret recognisable for scanners, as in `andon_t_`.
Secret new_secret(std::string_view prefix);
/// The secret of a link that signs a browser in.
Secret new_sign_in_code();

/// The link that signs a browser in. The code follows `#`, so that no server and no log receives it.
std::string sign_in_link(std::string_view origin, Secret const& code);

/// A sign-in link for another device, with its QR code.
struct PhoneLink {
  std::string url;
  core::Instant expires_at{};
  std::vector<std::string> qr;
};
void describe(auto& field, PhoneLink const*) {
  field(&PhoneLink::url, "url", "The link to open on the other device; it works once", core::always);
  field(&PhoneLink::expires_at, "expires_at", "Until when the link works", core::always);
  field(&PhoneLink::qr, "qr",
        "Rows of the link's QR code, 1 for a dark module; without the light margin of four", core::always);
}

struct SignInRequest {
  std::string code;
};
void describe(auto& field, SignInRequest const*) {
  field(&SignInRequest::code, "code", "The one-time code of the link", core::required);
}

/// The answer to a sign-in code: what the page of that browser sends as `Authorization: Bearer` from then on.
struct PageSession {
  std::string secret;
  core::Instant expires_at{};
};
void describe(auto& field, PageSession const*) {
  field(&PageSession::secret, "secret", "The secret of the session, which only this answer holds",
        core::always);
  field(&PageSession::expires_at, "expires_at", "Until when the session lasts", core::always);
}

/// Refuses a link for another device where no other device can reach the server.
std::unexpected<core::Error> refuse_phone_link();

}  // namespace andon::api
