#pragma once

#include <string_view>

#include "api/transport.hpp"

namespace andon::http {

/// Whether a text would end the line of a header or of a request.
bool breaks_a_line(std::string_view text);
/// Whether a request only reads.
bool is_read(api::HttpCall const& call);
/// Whether a request that arrives twice has the effect of one.
bool is_repeatable(api::HttpCall const& call);

}  // namespace andon::http
