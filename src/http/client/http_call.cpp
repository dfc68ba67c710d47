#include "http/client/http_call.hpp"

#include <algorithm>

#include "core/text/ascii.hpp"

namespace andon::http {

bool breaks_a_line(std::string_view text) {
  return text.find_first_of(std::string_view{"\r\n\0", 3}) != text.npos;
}

bool is_read(api::HttpCall const& call) { return call.method == "GET" || call.method == "HEAD"; }

bool is_repeatable(api::HttpCall const& call) {
  return is_read(call) || std::ranges::any_of(call.headers, [](auto const& header) {
           return core::ascii_lower(header.first) == "idempotency-key";
         });
}

}  // namespace andon::http
