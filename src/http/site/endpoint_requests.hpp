#pragma once

#include <functional>
#include <memory>

#include "api/endpoint.hpp"
#include "http/access/authenticated_request.hpp"
#include "http/live/message_streams.hpp"

namespace andon::http {

/// Passes requests to an endpoint that is no operation, and its answers to the clients. I/O thread only.
class EndpointRequests {
 public:
  /// Without an endpoint, requests are refused.
  EndpointRequests(api::Endpoint* endpoint, std::shared_ptr<Mailbox> mailbox, MessageStreams streams)
      : endpoint_(endpoint), mailbox_(std::move(mailbox)), streams_(std::move(streams)) {}

  /// Both functions are called on the I/O thread. `start` begins a call of the endpoint for this request.
  void serve(AuthenticatedRequest const& authenticated, std::function<void(api::Call, api::Reply)> start,
             std::function<void(Session&, Response)> answer);
  void note_commit() { has_news_ = true; }
  void tick();

 private:
  api::Endpoint* endpoint_;
  std::shared_ptr<Mailbox> mailbox_;
  MessageStreams streams_;
  bool has_news_ = false;  ///< something was committed since the last tick
};

}  // namespace andon::http
