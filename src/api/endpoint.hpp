#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/call.hpp"

namespace andon::api {

/// A request to an endpoint that is no operation, after its sender was authenticated.
struct EndpointRequest {
  std::string method;
  std::vector<std::pair<std::string, std::string>> headers;  ///< names in lower case
  std::string body;
  service::Caller caller;
  std::string credential;  ///< the hash of what the caller showed
  /// Starts a call within the bounds of the credential. May be called on any thread, as long as the answer is
  /// not complete.
  std::function<void(Call, Reply)> start;
  std::shared_ptr<std::atomic<bool> const> gone;  ///< set when the client has disconnected
  bool may_stream = false;  ///< whether the caller may have one more answer that is a stream

  std::string_view header(std::string_view name) const {
    for (auto const& [key, value] : headers)
      if (key == name) return value;
    return {};
  }
};

/// The messages of an answer that is a stream of server-sent events. Thread-safe.
class MessageStream {
 public:
  virtual ~MessageStream() = default;
  /// Sends one message of one line. `id` names the place at which a client can go on later; empty for none.
  virtual void send(std::string message, std::string id) = 0;
  /// Sends the last message and ends the stream; nothing is sent for an empty message.
  virtual void end(std::string message, std::string id) = 0;
};

struct EndpointAnswer {
  int status = 200;
  std::string body{};
  std::vector<std::pair<std::string, std::string>> headers{};
  /// When set, the answer is a stream. It is given here once, unless the client has gone; null when no more
  /// streams may be opened and the answer was `without_stream`.
  std::function<void(std::shared_ptr<MessageStream>)> streams{};
  /// The body of an answer 429 instead of the stream. Without it, the last message of the stream is the
  /// answer.
  std::string without_stream{};
  std::string farewell{};  ///< the last message of a stream that the server ends because it stops
};

/// Answers requests to one path of the server. Thread-safe.
class Endpoint {
 public:
  virtual ~Endpoint() = default;
  /// `reply` is called once, on any thread.
  virtual void serve(EndpointRequest request, std::move_only_function<void(EndpointAnswer)> reply) = 0;
  /// Called about twice a second. `has_news` tells whether something was committed since the last time.
  virtual void step(bool has_news) = 0;
};

}  // namespace andon::api
