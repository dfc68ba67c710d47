#pragma once

#include <string>

#include "api/call.hpp"
#include "http/wire/message.hpp"

namespace andon::http {

/// What of a request shapes the answer of its operation.
struct AnswerShape {
  api::Operation const* operation = nullptr;
  std::string request_id;
  std::string if_none_match;
  bool gzip = false;
  bool names_task_in_path = false;
};

/// Status and headers as the operation and the request ask for them. Runs on any thread.
Response shaped(AnswerShape const& shape, api::Answer answer);

}  // namespace andon::http
