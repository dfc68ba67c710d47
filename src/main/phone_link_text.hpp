#pragma once

#include <span>
#include <string>
#include <string_view>

namespace andon::main {

/// A QR code for a terminal that shows colours: two rows of modules in each line, black on white, with the
/// light margin of four modules.
std::string qr_code_text(std::span<std::string const> rows);

/// The two sentences about a server that devices in the local network reach without encryption.
inline constexpr std::string_view kLanRisk =
    "--lan is not encrypted: everyone in this network can read what passes, and can take over a signed-in "
    "session";
inline constexpr std::string_view kLanAdvice =
    "use --lan at home only; the safe way is a proxy that ends TLS, see docs/phone.md";

}  // namespace andon::main
