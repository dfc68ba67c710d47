#pragma once

#include <functional>
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
  /// not given.
  std::function<void(Call, Reply)> start;

  std::string_view header(std::string_view name) const {
    for (auto const& [key, value] : headers)
      if (key == name) return value;
    return {};
  }
};

struct EndpointAnswer {
  int status = 200;
  std::string body{};
  std::vector<std::pair<std::string, std::string>> headers{};
};

/// Answers requests to one path of the server. Thread-safe.
class Endpoint {
 public:
  virtual ~Endpoint() = default;
  /// `reply` is called once, on any thread.
  virtual void serve(EndpointRequest request, std::move_only_function<void(EndpointAnswer)> reply) = 0;
};

}  // namespace andon::api
