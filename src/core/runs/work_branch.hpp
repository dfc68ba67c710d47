#pragma once

#include <string>
#include <string_view>

#include "core/id.hpp"

namespace andon::core {

/// The folder of the branches that work trees are on.
inline constexpr std::string_view kWorkBranches = "andon/";

/// The mail address of agents and of Andon in commits.
inline constexpr char kAgentAddress[] = "andon@andon.invalid";

/// `42-fix-the-cart`: the name of a task's work tree, made of lower-case ASCII letters, digits and `-`.
std::string work_name(TaskId task, std::string_view title);
/// The task a work tree's name says it is of, or 0.
TaskId task_of_work(std::string_view name);

}  // namespace andon::core
