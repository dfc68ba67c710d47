#pragma once

#include <string_view>

#include "api/transport.hpp"

namespace andon::http {

/// True for a text that would end the line of a header or of a request.
bool breaks_a_line(std::string_view text);
/// True for a request that only reads.
bool is_read(api::HttpCall const& call);
/// True for a request whose second arrival has no effect.
bool is_repeatable(api::HttpCall const& call);

}  // namespace andon::http
