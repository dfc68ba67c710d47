#pragma once

#include <array>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "core/error.hpp"

namespace andon::mcp {

namespace json = boost::json;

/// A refusal of the protocol, as opposed to one of a tool. The table in message.cpp gives each its number by
/// JSON-RPC 2.0 §5.1 and MCP 2026-07-28, and the HTTP status of that revision.
enum class Fault {
  parse_error,
  invalid_request,
  method_not_found,
  invalid_params,
  internal_error,
  header_mismatch,
  missing_capability,
  unsupported_version,
  busy,                ///< the caller may ask again in a moment
  resource_not_found,  ///< of the revisions before 2026-07-28, which have a number of its own for it
};

struct FaultRow {
  Fault fault;
  int number;
  int http;
};
FaultRow const& row(Fault fault);

struct ProtocolError {
  Fault fault = Fault::internal_error;
  std::string message;
  json::object data{};
};
/// The refusal of an operation that answers a request of the protocol, by the HTTP status of its code.
ProtocolError protocol_error(core::Error const& error);
template <class T>
using Outcome = std::expected<T, ProtocolError>;
inline std::unexpected<ProtocolError> fault(Fault fault, std::string message, json::object data = {}) {
  return std::unexpected(ProtocolError{fault, std::move(message), std::move(data)});
}

/// One JSON-RPC message of a client: a request, a notification without an id, or an answer without a method.
struct Message {
  json::value id;  ///< text or integer; null for a notification
  std::string method;
  json::object params;
  std::optional<Outcome<json::object>> answer;  ///< to a request of this server, whose id it has

  bool is_request() const { return !id.is_null() && !answer; }
};

/// A message that is none, with the id it had.
struct BadMessage {
  json::value id;
  ProtocolError error;
};

/// The most bytes of one message.
inline constexpr std::size_t kLongestMessage = 2U << 20U;

/// Reads one message.
std::expected<Message, BadMessage> read_message(std::string_view text);

/// The value of a text that this program wrote itself, such as the answer of an operation, within wide
/// bounds.
Outcome<json::value> read_own(std::string_view text);

/// The objects in the member `items` of such a text; none where there are none.
std::vector<json::object> items_in(std::string_view text);

/// The JSON text of an answer, on one line.
std::string answer_text(json::value const& id, Outcome<json::object> const& outcome);
/// The JSON text of a notification, or with an id of a request, on one line.
std::string message_text(std::string_view method, json::object params, json::value id = {});

/// The text of a member; empty when it is no text.
std::string_view text_in(json::object const& object, std::string_view name);
/// The object of a member; empty when it is none.
json::object const& object_in(json::object const& object, std::string_view name);

}  // namespace andon::mcp
