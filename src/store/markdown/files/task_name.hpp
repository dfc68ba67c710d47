#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/model/task.hpp"

namespace andon::store::markdown {

/// Of a task. Whole numbers up to here are the same in every program that reads JSON.
inline constexpr core::TaskId kHighestNumber = std::int64_t{1} << 52;

/// The name of a task's file: `007-fix-the-cart.md`.
std::string file_name_of(core::TaskId id, std::string_view title);
/// The number in front of a file's name.
std::optional<core::TaskId> id_in_name(std::string_view name);
/// Whether a directory's entry is looked at as a task.
bool is_task_name(std::string_view name);

}  // namespace andon::store::markdown
