#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "api/operation.hpp"

namespace andon::api {

/// One request on its way to an operation.
struct Call {
  Operation const* operation = nullptr;
  Object request;
  service::Caller caller;
  std::string idempotency_key;                         ///< from the client; empty for none
  std::optional<std::int64_t> expected_rev;            ///< `If-Match`
  core::Duration patience{};                           ///< how long a pick waits for a task
  std::shared_ptr<std::atomic<bool> const> abandoned;  ///< set when the client has disconnected
  std::string reader;                                  ///< with whose other reads it takes turns
};

/// The JSON of the answer, or why there is none.
using Answer = core::Result<std::string>;
using Reply = std::move_only_function<void(Answer)>;

/// Runs operations: here on a store, or on a server.
class Executor {
 public:
  virtual ~Executor() = default;
  /// Runs the call and waits for its answer. Trouble of the world becomes an `Error` too.
  virtual Answer run(Call call) = 0;
};

/// Fills a request from JSON.
core::Result<Object> decode(Operation const& operation, boost::json::value const& json);

/// A call of a service function with a ready request, for parts of Andon that call operations themselves.
template <auto F>
Call call_of(typename detail::Signature<decltype(F)>::Request request, service::Caller caller) {
  Call call;
  call.operation = &row_of<F>();
  call.request = object(std::move(request));
  call.caller = std::move(caller);
  return call;
}

}  // namespace andon::api
