#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <mutex>

#include "mcp/http_sessions.hpp"

namespace andon::mcp {

/// The features that the sender of a request is offered. They are kept until the answer.
using MakeFeatures = std::function<std::shared_ptr<Features>(api::EndpointRequest const&)>;

/// The protocol over HTTP (MCP 2026-07-28 and 2025-11-25, *Streamable HTTP*). An answer is one JSON text, or
/// a stream where something is said before the result. A client of the older form gets a session with its
/// `initialize`. Its `GET` opens a stream of what changes, and with `Last-Event-ID` goes on with a stream
/// whose connection broke.
class HttpEndpoint : public api::Endpoint {
 public:
  /// The clock outlives it.
  HttpEndpoint(ServerName name, MakeFeatures features, os::Clock const& clock);

  void serve(api::EndpointRequest request, std::move_only_function<void(api::EndpointAnswer)> reply) override;
  void step(bool has_news) override;

 private:
  using Reply = HttpExchange::Reply;

  void serve_get(api::EndpointRequest const& request, Reply reply);
  void serve_post(api::EndpointRequest const& request, Reply reply);
  void serve_request(api::EndpointRequest const& request, Message const& message, Era era, Reply reply);
  void listen(api::EndpointRequest const& request, std::shared_ptr<HttpSession> const& session,
              std::string const& place, Reply reply);
  void take_notice(api::EndpointRequest const& request, Message message);
  /// Keeps an exchange for a client that comes back, in place of the oldest one that is kept.
  std::string keep(std::shared_ptr<HttpExchange> exchange);
  std::shared_ptr<HttpExchange> kept(std::string_view name, HttpSession const& session);

  Protocol protocol_;
  MakeFeatures const features_;
  os::Clock const& clock_;
  HttpSessions sessions_;
  std::mutex mutex_;
  std::deque<std::pair<std::string, std::shared_ptr<HttpExchange>>> kept_;
  std::uint64_t last_name_ = 0;
};

}  // namespace andon::mcp
