#pragma once

#include <string>

#include "service/access/access.hpp"

namespace andon::main {

/// A one-time secret, and its hash for the store.
struct Secret {
  std::string text;
  std::string hash;
};
/// `prefix` makes the secret recognisable for scanners, as in `andon_t_`.
Secret new_secret(std::string_view prefix);

/// The link that signs a browser in. The code follows `#`, so that no server and no log receives it.
std::string sign_in_link(std::string const& origin, Secret const& code);

}  // namespace andon::main
