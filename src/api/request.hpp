#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/json/object.hpp>

#include "api/call.hpp"

namespace andon::api {

using TextPairs = std::vector<std::pair<std::string, std::string>>;

/// The parts of an HTTP request, percent-decoded.
struct RequestParts {
  TextPairs path;   ///< `{field}` of the row's path and what stood there
  TextPairs query;  ///< in order; keys may repeat
  std::string_view body;
};

/// Makes a call of a row: chooses the form of the operation that the request asks for (an array creates
/// several tasks), decodes it and sets how long it may wait. Names the field in refusals. A path that can
/// stand for nothing is `NOT_FOUND`.
core::Result<Call> build_call(Operation const& operation, RequestParts const& parts);

/// Sets how long a decoded call may wait, as its request says.
core::Result<void> set_patience(Call& call);

/// Turns the texts of a query into the JSON that a request type is read from.
core::Result<boost::json::object> json_of_query(reflect::Type const& request, TextPairs const& query);

}  // namespace andon::api
