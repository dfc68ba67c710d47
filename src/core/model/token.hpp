#pragma once

#include <array>
#include <string_view>

namespace andon::core {

/// The owner of a credential, and with it the rights that the credential gives.
enum class TokenKind {
  admin,
  person,
  session,  ///< a browser of the administrator
  run,      ///< the agent of one run
  code,     ///< signs a browser in once; gives no rights by itself
  runner,   ///< a runner on another host
};
inline constexpr std::array<std::string_view, 6> kTokenKindNames{"admin", "person", "session",
                                                                 "run",   "code",   "runner"};
constexpr auto const& wire_names(TokenKind) { return kTokenKindNames; }

}  // namespace andon::core
