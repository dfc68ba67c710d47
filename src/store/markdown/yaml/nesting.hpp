#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "core/model/task.hpp"

namespace andon::store::markdown {

/// What is said of a file whose task would be nested deeper than tasks may be; the end of its problem.
inline constexpr std::string_view kTooDeep =
    "its parents are nested deeper than 100; name a parent further up";

/// The parent of a task; nothing without one, or when the task is unknown.
using ParentOf = std::function<std::optional<core::TaskId>(core::TaskId)>;

/// Whether more tasks would stand above a task, or above those `below` it, than may. Files may hold chains of
/// any length and cycles: the walk ends where there is one too many or where it comes round.
bool is_nested_too_deep(core::TaskId task, int below, ParentOf const& parent_of);

}  // namespace andon::store::markdown
