#pragma once

#include <cstddef>

#include "service/reference.hpp"

namespace andon::core {
struct Column;
}

namespace andon::service {

// Rules of single fields of a task, for new tasks and for edits.

core::Result<std::string> check_title(std::string const& title);
core::Result<void> check_body(std::string const& body);
core::Result<std::string> known_priority(core::Board const& board, std::string const& name);
core::Result<std::string> known_class(core::Board const& board, std::string const& name);
core::Result<core::Column const*> known_column(core::Board const& board, std::string const& name);
core::Result<std::vector<std::string>> check_words(std::vector<std::string> words, std::string_view field,
                                                   std::size_t most);
/// A text of one line, or an empty one.
core::Result<std::string> check_line(std::string const& text, std::string_view field,
                                     std::size_t most_bytes = 200);
/// The name of a role, or an empty one: a line that is no path, because documents of roles lie in files.
core::Result<std::string> check_role(std::string const& role, std::string_view field = "role");
core::Result<void> check_check_names(core::Board const& board, std::vector<std::string> const& names);
/// Resolves dependencies: they exist, are not the task itself, and close no cycle. `self` is 0 for a new
/// task.
core::Result<std::vector<core::TaskId>> check_dependencies(OperationContext& ctx, core::TaskId self,
                                                           std::vector<TaskRef> const& refs);
/// Resolves a parent: it exists, is not below the task, and leaves room above it and its sub-tasks.
core::Result<core::TaskId> check_parent(OperationContext& ctx, core::TaskId self, TaskRef const& ref);
/// The task, its parent, the parent of that and so on; ends after one more than may stand above a task.
std::vector<core::TaskId> tasks_above(OperationContext& ctx, core::TaskId id);
/// The task itself, or its nearest ancestor that may have sub-tasks, so that tasks of the engine are never
/// nested too deep.
core::TaskId parent_with_room(OperationContext& ctx, core::TaskId id);

/// Whether the caller may put a new task of theirs straight into ready.
bool may_approve(OperationContext const& ctx, core::Board const& board);

}  // namespace andon::service
