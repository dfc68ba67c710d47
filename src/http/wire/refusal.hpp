#pragma once

#include "core/error.hpp"
#include "http/wire/message.hpp"

namespace andon::http {

/// The answer that tells of a refusal: its status from the error table, its body as every interface writes
/// it. The text of a defect goes to the log only.
Response refusal(core::Error const& error, std::string const& request_id);
Response refusal(core::Code code, std::string message, std::string const& request_id);

}  // namespace andon::http
