#pragma once

#include <string>

#include "api/call.hpp"
#include "http/wire/message.hpp"

namespace andon::http {

/// The parts of a request that shape the answer of its operation.
struct AnswerShape {
  api::Operation const* operation = nullptr;
  std::string request_id;
  std::string if_none_match;
  bool gzip = false;
};

/// The status, headers and body for an answer. Runs on any thread.
Response shaped(AnswerShape const& shape, core::Result<api::Answer> answer);

}  // namespace andon::http
