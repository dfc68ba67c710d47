#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "mcp/protocol/features.hpp"
#include "mcp/protocol/request_state.hpp"
#include "mcp/protocol/subscriptions.hpp"
#include "mcp/protocol/timers.hpp"
#include "os/processes/clock.hpp"

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

/// The result of `subscriptions/listen`, which ends a subscription in good order.
json::object end_of_subscription(json::value const& id);

/// The name and version that a server tells its clients.
struct ServerName {
  std::string name;
  std::string title;
  std::string version;
};

/// Answers requests. Thread-safe.
class Protocol {
 public:
  Protocol(ServerName name, os::Clock const& clock)
      : name_{{"name", name.name}, {"title", name.title}, {"version", name.version}}, clock_(clock) {}

  void answer(Message const& message, Era era, std::shared_ptr<Features> const& features,
              std::shared_ptr<Exchange> const& exchange, Respond respond);

  /// The clients that are told of changes.
  Subscriptions& subscriptions() { return subscriptions_; }
  /// Does what is due. A transport calls it about once a second. `has_news` says whether something may have
  /// changed since the last time.
  void step(bool has_news);
  /// Whether nothing waits for a step.
  bool is_idle() const { return subscriptions_.empty() && timers_.empty(); }

 private:
  json::object name_;
  os::Clock const& clock_;
  StateSeal seal_;
  Subscriptions subscriptions_;
  Timers timers_;
};

}  // namespace andon::mcp
