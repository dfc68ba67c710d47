#pragma once

#include <string>
#include <string_view>

#include "core/time/time.hpp"
#include "mcp/protocol/message.hpp"

namespace andon::mcp {

/// The state of a request that waits for input; the client sends it again with the repeated request.
struct RequestState {
  json::object inputs;  ///< what the client answered so far
  std::string state;    ///< of the tool
};

/// Signs the states that clients keep between two calls (MCP 2026-07-28, *Multi round-trip requests*). A
/// state is good for the caller and the request that it was made for, until it expires.
class StateSeal {
 public:
  StateSeal();

  /// `purpose` names the caller and the request. `now` is the uptime.
  std::string seal(RequestState const& state, std::string_view purpose, core::Duration now) const;
  /// Refuses a text that was not sealed here for this purpose, or that has expired.
  Outcome<RequestState> open(std::string_view sealed, std::string_view purpose, core::Duration now) const;

 private:
  std::string key_;
};

}  // namespace andon::mcp
