#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/model/task.hpp"

namespace andon::store::markdown {

/// The number of a task in the files of its board. In a single directory it is the task's id as well; an
/// attached board shares its store with others, so there it is not (see Numbering).
using FileNumber = core::Id<struct FileNumberTag>;

// A task as its file has it contains numbers in place of ids; in a single directory both are equal.
inline FileNumber as_number(core::TaskId in_file) { return FileNumber{std::int64_t{in_file}}; }
inline core::TaskId as_id(FileNumber number) { return core::TaskId{std::int64_t{number}}; }

/// The highest number of a task. All JSON readers represent whole numbers up to here exactly.
inline constexpr std::int64_t kHighestNumber = std::int64_t{1} << 52;

/// The name of a task's file: `007-fix-the-cart.md`.
std::string file_name_of(FileNumber number, std::string_view title);
/// The number at the beginning of a file name; nothing when there is none.
std::optional<FileNumber> number_in_name(std::string_view name);
/// Whether a directory entry is read as a task.
bool is_task_name(std::string_view name);

}  // namespace andon::store::markdown
