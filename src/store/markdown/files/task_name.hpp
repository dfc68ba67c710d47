#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/model/task.hpp"

namespace andon::store::markdown {

/// The highest number of a task. All JSON readers represent whole numbers up to here exactly.
inline constexpr std::int64_t kHighestNumber = std::int64_t{1} << 52;

/// The name of a task's file: `007-fix-the-cart.md`.
std::string file_name_of(std::int64_t number, std::string_view title);
/// The number at the beginning of a file name; nothing when there is none.
std::optional<core::TaskId> id_in_name(std::string_view name);
/// Whether a directory entry is read as a task.
bool is_task_name(std::string_view name);

}  // namespace andon::store::markdown
