#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "core/model/task.hpp"

namespace andon::store::markdown {

/// The end of the problem text of a file whose task is nested too deep.
inline constexpr std::string_view kTooDeep =
    "its parents are nested deeper than 100; name a parent further up";

/// The parent of a task; nothing when it has none or is unknown.
using ParentOf = std::function<std::optional<core::TaskId>(core::TaskId)>;

/// Whether a task, or a task `below` levels under it, would have more tasks above it than allowed. Files may
/// hold chains of any length and cycles. The walk ends at the first task too many, or when it returns to a
/// task.
bool is_nested_too_deep(core::TaskId task, int below, ParentOf const& parent_of);

}  // namespace andon::store::markdown
