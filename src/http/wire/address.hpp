#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/request.hpp"

namespace andon::http {

/// Parses a query. In addition to `%XX`, `+` means a blank.
std::optional<api::TextPairs> parse_query(std::string_view query);
/// The value of a key, or empty.
std::string const* find(api::TextPairs const& pairs, std::string_view name);

}  // namespace andon::http
