#pragma once

#include <string>
#include <string_view>

#include "core/id.hpp"

namespace andon::core {

/// The prefix of the branches of tasks where the board has no other.
inline constexpr std::string_view kUsualPrefix = "andon";

/// The mail address of agents and of Andon in commits.
inline constexpr char kAgentAddress[] = "andon@andon.invalid";

/// `42-fix-the-cart`: the name of a task's work tree, made of lower-case ASCII letters, digits and `-`.
std::string work_name(TaskId task, std::string_view title);
/// The task of `PREFIX/42-fix-the-cart`, whatever the prefix; 0 for other branches.
TaskId task_of_branch(std::string_view branch);
/// True if a branch belongs to that task and has this prefix or the usual one. An agent chooses no other
/// prefix.
bool is_branch_of_task(std::string_view branch, TaskId task, std::string_view prefix);
/// The task a work tree's name says it is of, or 0.
TaskId task_of_work(std::string_view name);

}  // namespace andon::core
