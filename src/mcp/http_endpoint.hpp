#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>

#include "api/endpoint.hpp"
#include "mcp/protocol/protocol.hpp"
#include "os/processes/clock.hpp"

namespace andon::mcp {

/// The features that the sender of a request is offered. They are kept until the answer.
using MakeFeatures = std::function<std::shared_ptr<Features>(api::EndpointRequest const&)>;

/// The protocol over HTTP (MCP 2026-07-28 and 2025-11-25, *Streamable HTTP*): one request, one JSON answer.
/// It opens no stream, so `GET` is refused. A client of the older form gets a session with its `initialize`;
/// it is good for the credential that opened it alone.
class HttpEndpoint : public api::Endpoint {
 public:
  /// The clock outlives it.
  HttpEndpoint(Protocol protocol, MakeFeatures features, os::Clock const& clock);

  void serve(api::EndpointRequest request, std::move_only_function<void(api::EndpointAnswer)> reply) override;

 private:
  struct Session {
    std::string credential;
    core::Duration used{};
  };
  using Sessions = std::map<std::string, Session, std::less<>>;

  std::string open_session(std::string const& credential);
  bool has_session(std::string_view id, std::string const& credential);
  bool end_session(std::string_view id, std::string const& credential);
  Sessions::iterator find_session(std::string_view id, std::string const& credential);

  Protocol const protocol_;
  MakeFeatures const features_;
  os::Clock const& clock_;
  std::mutex mutex_;
  Sessions sessions_;
};

}  // namespace andon::mcp
