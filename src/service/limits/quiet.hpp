#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/model/board.hpp"
#include "core/model/worker.hpp"
#include "service/operation_context.hpp"

namespace andon::service {

/// Takes over given quiet hours; hours that begin and end at the same time are none. Refuses a text that is
/// no time of the day, and a zone that does not exist.
core::Result<void> set_quiet(OperationContext const& ctx, std::optional<core::QuietHours> const& given,
                             std::optional<core::QuietHours>& quiet, std::string const& field = "quiet");

/// Refuses with `NOTHING_TO_PICK` in the quiet hours of the worker.
core::Result<void> check_quiet(OperationContext const& ctx, core::Worker const& worker);

/// Whether the class of service has quiet hours now.
bool is_quiet(OperationContext const& ctx, core::ServiceClass const& service_class);

}  // namespace andon::service
