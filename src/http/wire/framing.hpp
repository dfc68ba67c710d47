#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/error.hpp"
#include "http/options.hpp"

namespace andon::http {

/// Checks the bytes of a request's head, including its empty line, before they are interpreted. Returns the
/// fault if there is one:
/// line ends that two programs could read differently, folded lines, values with control characters,
/// repeated fields that may appear only once, and excessive sizes.
std::optional<core::Error> fault_of_head(std::string_view head, Limits const& limits);

/// The refusal of a request that breaks HTTP.
core::Error malformed(std::string message);

/// The fault of a head that is longer than allowed.
core::Error fault_of_long_head(std::string_view begin, Limits const& limits);

}  // namespace andon::http
