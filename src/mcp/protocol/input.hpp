#pragma once

#include <functional>
#include <memory>

#include "mcp/protocol/exchange.hpp"

namespace andon::mcp {

/// Answers a request; a result with `inputRequests` asks for input.
using Act = std::move_only_function<void(RequestContext, Respond)>;

/// Answers a request of the older form. Input is asked of the client by requests on the same stream, then
/// `act` runs again.
void answer_asking(Act act, RequestContext context, Respond respond);

/// The fault of a result that asks for what the client cannot give; nothing when it can.
std::optional<ProtocolError> fault_of_input(json::object const& result, json::object const& capabilities);

/// The member of a result that asks for input.
inline constexpr std::string_view kInputRequests = "inputRequests";

}  // namespace andon::mcp
