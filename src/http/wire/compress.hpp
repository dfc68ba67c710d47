#pragma once

#include <string>
#include <string_view>

namespace andon::http {

/// Whether a client accepts a coding: `Accept-Encoding` names it without `q=0`.
bool accepts(std::string_view accept_encoding, std::string_view coding);
/// The text as a gzip file.
std::string gzipped(std::string_view text);

}  // namespace andon::http
