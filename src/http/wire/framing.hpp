#pragma once

#include <optional>
#include <string_view>

#include "core/error.hpp"
#include "http/options.hpp"

namespace andon::http {

/// Looks at the bytes of a request's head, up to and with its empty line, before anything interprets them:
/// line ends that two programs could read differently, folded lines, values with control characters, fields
/// that may stand only once, and sizes. Says what is wrong, if anything.
std::optional<core::Error> fault_of_head(std::string_view head, Limits const& limits);

/// The same for a head that is longer than allowed.
core::Error fault_of_long_head(std::string_view begin, Limits const& limits);

}  // namespace andon::http
