#pragma once

#include <string>
#include <vector>

#include "cli/command_line/command.hpp"
#include "core/model/board.hpp"

namespace andon::cli {

class Invocation;

/// The commands of this folder that are no operations: `init`, `apply`, `export`, `help` ...
std::vector<NamedCommand> own_commands();

core::Result<int> run_init(Invocation& in);
core::Result<int> run_apply(Invocation& in);
core::Result<int> run_export(Invocation& in);
core::Result<int> run_import(Invocation& in);
core::Result<int> run_merge_driver(Invocation& in);
core::Result<int> run_doctor(Invocation& in);
core::Result<int> run_confirm(Invocation& in);
core::Result<int> run_completion(Invocation& in);
core::Result<int> run_agent_name(Invocation& in);
core::Result<int> run_config(Invocation& in);
core::Result<int> run_config_get(Invocation& in);
core::Result<int> run_config_set(Invocation& in);
core::Result<int> run_skill(Invocation& in);
core::Result<int> run_skill_install(Invocation& in);
core::Result<int> run_skill_update(Invocation& in);
core::Result<int> run_skill_check(Invocation& in);
core::Result<int> run_skill_show(Invocation& in);
core::Result<int> run_hooks(Invocation& in);
core::Result<int> run_hooks_install(Invocation& in);
core::Result<int> run_hooks_show(Invocation& in);
core::Result<int> run_hooks_remove(Invocation& in);
core::Result<int> run_hooks_run(Invocation& in);

/// The columns that `backlog,todo:3,done` asks for. What a column means follows from its name; among names
/// that say nothing the first is ready, the last done and those between are active.
core::Result<std::vector<core::Column>> columns_from(std::vector<std::string> const& statuses);

}  // namespace andon::cli
