#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/time/time.hpp"
#include "mcp/protocol/message.hpp"
#include "mcp/protocol/session.hpp"

namespace andon::mcp {

/// Called once, on any thread.
using Respond = std::move_only_function<void(Outcome<json::object>)>;

/// A request while it is answered. A transport gives each request one. Thread-safe.
class Exchange {
 public:
  virtual ~Exchange() = default;
  /// Sends a notification to the client of this request, before the answer.
  virtual void notify(std::string_view method, json::object params) = 0;
  /// Sends a request to the client. Only clients of the older form take requests.
  virtual void ask(std::string_view method, json::object params, Respond respond) = 0;
  /// Whether the client has given up this request.
  virtual bool is_cancelled() const = 0;
  /// The session of a client of the older form; null without one.
  virtual Session* session() = 0;
  /// Whose request it is. Another caller cannot go on with what this one began.
  virtual std::string principal() const = 0;
};

/// The request of a tool or a prompt without its arguments: caller, progress, cancellation, inputs.
///
/// A tool that needs something from the person or the model at the client answers with the member
/// `inputRequests`: by a key of its own, the method of a request to the client and its `params`. It is then
/// called again with the same arguments and what the client answered.
struct RequestContext {
  std::shared_ptr<Exchange> exchange;
  json::value progress_token{};  ///< null when the client wants to know no progress
  json::object capabilities{};   ///< of the client
  json::object inputs{};         ///< results of the client, by the keys of the requests for input
  std::string state{};           ///< `requestState` of the result that asked for input
  /// Calls a function after a time, to the second.
  std::function<void(core::Duration, std::move_only_function<void()>)> later{};

  /// Tells how much is done, when the client wants to know. Each number must be larger than the one before.
  void progress(double done, std::optional<double> total, std::string_view message) const;
};

}  // namespace andon::mcp
