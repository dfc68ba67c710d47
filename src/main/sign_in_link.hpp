#pragma once

#include <string>

#include "service/access/access.hpp"

namespace andon::main {

/// A one-time secret, and what the store must know of it.
struct Secret {
  std::string text;
  std::string hash;
};
/// `prefix` makes the secret recognisable for scanners, as in `andon_t_`.
Secret new_secret(std::string_view prefix);

/// The link that signs a browser in: the code stands behind `#`, where no server and no log sees it.
std::string sign_in_link(std::string const& origin, Secret const& code);

}  // namespace andon::main
