#pragma once

#include <optional>
#include <string>

#include "core/error.hpp"
#include "core/model/resource_limits.hpp"
#include "service/operation_context.hpp"

namespace andon::service {

/// Takes over given limits; limits of nothing are none. Refuses numbers below nothing, a weight above 10,000
/// and so little memory or disk that no program could start.
core::Result<void> set_limits(std::optional<core::ResourceLimits> const& given,
                              std::optional<core::ResourceLimits>& limits,
                              std::string const& field = "limits");

}  // namespace andon::service
