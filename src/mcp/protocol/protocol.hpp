#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "mcp/protocol/features.hpp"

namespace andon::mcp {

/// The two forms of the protocol: up to 2025-11-25 a client begins with `initialize`; from 2026-07-28 on each
/// request says all that a server must know.
enum class Era { legacy, modern };

/// Newest first.
inline constexpr std::array<std::string_view, 2> kLegacyVersions{"2025-11-25", "2025-06-18"};
inline constexpr std::string_view kModernVersion = "2026-07-28";
inline constexpr std::string_view kVersionKey = "io.modelcontextprotocol/protocolVersion";
inline constexpr std::string_view kCapabilitiesKey = "io.modelcontextprotocol/clientCapabilities";

/// The form that a message has. It follows from what the message carries, never from its method.
/// `header` is the version that the transport tells; empty without one.
Era era_of(Message const& message, std::string_view header = {});

/// The revision that an `initialize` agrees on.
std::string_view agreed_version(Message const& initialize);

/// Answers requests with the features of one caller. Notifications have no effect.
class Protocol {
 public:
  /// `version` is that of the program.
  explicit Protocol(std::string version) : version_(std::move(version)) {}

  void answer(Message const& message, Era era, Features& features, Respond respond) const;

 private:
  std::string version_;
};

}  // namespace andon::mcp
