#pragma once

#include "core/error.hpp"
#include "http/wire/message.hpp"

namespace andon::http {

/// The answer for a refusal: its status from the error table, and the body that all interfaces share. The
/// text of a defect goes only to the log.
Response refusal(core::Error const& error, std::string const& request_id);
Response refusal(core::Code code, std::string message, std::string const& request_id);

}  // namespace andon::http
