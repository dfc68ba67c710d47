#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.hpp"

namespace andon::api {

struct HttpCall {
  std::string method = "GET";
  std::string target;  ///< path and query
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
};

struct HttpAnswer {
  int status = 0;
  std::vector<std::pair<std::string, std::string>> headers;  ///< names in lower case
  std::string body;
};

/// A way to a server: TCP or its Unix socket. Blocking; one call at a time. Never follows redirects, so a
/// token goes nowhere but to the configured origin. Trouble with the connection is the refusal `BUSY`.
class Transport {
 public:
  virtual ~Transport() = default;
  virtual core::Result<HttpAnswer> call(HttpCall const& call) = 0;
  /// Calls and hands over each line of an answer without an end, until `line` returns false or the server
  /// ends it.
  virtual core::Result<void> stream(HttpCall const& call,
                                    std::move_only_function<bool(std::string_view line)> line) = 0;
  /// Ends the call that is under way, from another thread. The transport is of no use afterwards.
  virtual void interrupt() {}
};

}  // namespace andon::api
