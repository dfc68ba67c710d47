#pragma once

#include <string>
#include <string_view>

#include "core/error.hpp"

namespace andon::api {

/// The JSON of a refusal that all interfaces share: `error`, `code`, `field`, `details`, and `request_id`
/// unless it is empty.
std::string error_json(core::Error const& error, std::string_view request_id = {});

/// A refusal that may leave the process: what a defect says of its inside is left out. An unknown result
/// stays visible, because the caller must look again.
core::Error without_inside(core::Error const& error);

}  // namespace andon::api
