#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "api/executor.hpp"
#include "api/object.hpp"
#include "api/row_of.hpp"
#include "core/error.hpp"
#include "core/id.hpp"
#include "core/time/time.hpp"
#include "reflect/json.hpp"
#include "reflect/type.hpp"
#include "service/operation_context.hpp"

namespace andon::api {

struct Operation;

/// One request on its way to an operation.
struct Call {
  Operation const* operation = nullptr;
  Object request;
  service::Caller caller;
  std::string idempotency_key;                         ///< from the client; empty for none
  std::optional<core::Revision> expected_rev;          ///< `If-Match`
  core::Duration patience{};                           ///< how long a pick waits for a task
  std::shared_ptr<std::atomic<bool> const> abandoned;  ///< set when the client has disconnected
  std::string reader;                                  ///< with whose other reads it takes turns
  bool tells_verbs = false;  ///< whether a task in the answer says what the caller may do with it now
  std::int64_t bytes = 0;    ///< of the request with its file, when the caller is metered
};

/// The answer of an operation: its response, which stays an object until it leaves the process.
struct Answer {
  Operation const* operation = nullptr;
  Object value{};             ///< of the row's response type; null where a server or a retry record gave JSON
  std::string json{};         ///< that JSON as it was given
  bool is_repeated = false;   ///< that of an earlier request with the same key; this one changed nothing
  bool made_nothing = false;  ///< what was to be created stands already

  std::string text() const;
  /// Reads the response from the JSON, where it is not there yet.
  core::Result<void> read();
  /// The response. Throws `std::logic_error` for a type that is not the row's. JSON may hold members that
  /// only another version knows.
  template <class T>
  core::Result<T> as() &&;
  /// Throws `std::logic_error` where the response has another type.
  void expect(reflect::Type const& type) const;
  /// The number in a member of the response; nothing where it has no such member.
  std::optional<std::int64_t> number(std::string_view member) const;
};

using Reply = std::move_only_function<void(core::Result<Answer>)>;

/// The bounds of the JSON of an answer: a snapshot of a board with long columns fits.
inline constexpr reflect::JsonLimits kAnswerLimits{64, 4'000'000};

template <class T>
core::Result<T> Answer::as() && {
  expect(reflect::type_of<T>());
  if (value) return std::move(*static_cast<T*>(value.get()));
  ANDON_TRY(auto const read, reflect::parse_json(json, kAnswerLimits));
  return reflect::from_json<T>(read, reflect::Unknown::ignore);
}

/// The bytes of the request with its file.
std::int64_t size_of(Call const& call);

/// Removes secrets from a text that a run hands in.
using Redact = std::function<std::string(core::RunId, std::string_view)>;
/// Removes secrets from every text of a run's write, whatever its operation is: fields, keys of maps, the key
/// of the request, a file that is text.
core::Result<void> redact(Call& call, Redact const& redact);

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
