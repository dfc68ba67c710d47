#pragma once

#include "core/model/board.hpp"
#include "service/boards/examined_repository.hpp"
#include "service/requests.hpp"

namespace andon::service {

/// The members of a board that can be set when it is made and changed later.
struct BoardPolicies {
  std::optional<std::string> title;
  std::optional<std::string> description;
  std::optional<std::string> prefix;
  std::optional<core::Workflow> workflow;
  std::optional<core::Approval> approval;
  std::optional<std::vector<std::string>> trusted;
  std::optional<core::ReviewBy> review_by;
  std::optional<int> max_concurrent;
  std::optional<bool> auto_dispatch;
  std::optional<bool> require_brief;
  std::optional<std::string> repo;
  std::optional<bool> worktree;
  std::optional<std::string> branch;
  std::optional<std::string> branch_prefix;
  std::optional<std::string> folder;
  std::optional<std::vector<std::string>> filters;
  std::optional<core::LandingPolicy> land;
  std::optional<bool> require_evidence;
  std::optional<std::vector<core::Column>> columns;
  std::optional<std::vector<std::string>> priorities;
  std::optional<std::vector<core::ServiceClass>> classes;
  std::optional<std::string> default_status;
  std::optional<std::string> default_priority;
  std::optional<std::string> default_class;
  std::optional<std::map<std::string, std::vector<std::string>>> checks;
  std::optional<std::map<std::string, std::vector<std::string>>> sources;
  std::optional<std::vector<core::ChainRule>> chains;
  std::optional<core::Duration> claim_timeout;
  std::optional<core::Duration> stale_after;
  std::optional<core::Duration> silent_after;
  std::optional<core::Duration> check_timeout;
  std::optional<std::vector<core::Command>> setup;
  std::optional<core::SetupCache> setup_cache;
  std::optional<core::Duration> setup_timeout;
  std::optional<std::vector<std::string>> copy;
  std::optional<std::vector<std::string>> env;
  std::optional<int> ports;
  std::optional<std::vector<core::Command>> teardown;
  std::optional<core::Command> preview;
  std::optional<core::LandLimits> land_limits;
  std::optional<core::Command> test_list;
  std::optional<std::vector<std::string>> test_reports;
  std::optional<core::Budget> budget;
  std::optional<core::ResourceLimits> limits;
  std::optional<core::BoardDisplay> tui;
  std::optional<core::NamedCommands> commands;
  std::optional<ExaminedRepository> examined;    ///< the answer of the machine to the repository
  std::optional<core::MachineCommands> defined;  ///< the commands of the machine, where `commands` names some
};
void describe(auto& field, BoardPolicies const*) {
  field(&BoardPolicies::title, "title", "What people read");
  field(&BoardPolicies::description, "description", "What it is for");
  field(&BoardPolicies::prefix, "prefix", "Prefix of task keys, such as WQ");
  field(&BoardPolicies::workflow, "workflow", "open or strict");
  field(&BoardPolicies::approval, "approval", "manual or trusted");
  field(&BoardPolicies::trusted, "trusted", "Workers and roles that may place their own new tasks in ready");
  field(&BoardPolicies::review_by, "review_by", "person, checks or role:NAME");
  field(&BoardPolicies::max_concurrent, "max_concurrent",
        "Most runs at once; 0 means as many as its workers can take");
  field(&BoardPolicies::auto_dispatch, "auto_dispatch", "Whether idle workers pick by themselves");
  field(&BoardPolicies::require_brief, "require_brief", "Whether an approved task waits until it has a body");
  field(&BoardPolicies::repo, "repo", "Repository the agents work in (administrator only)");
  field(&BoardPolicies::worktree, "worktree", "A git worktree for every task (administrator only)");
  field(&BoardPolicies::branch, "branch",
        "Branch at which work begins and on which it lands; the repository's default when empty "
        "(administrator only)");
  field(&BoardPolicies::branch_prefix, "branch_prefix",
        "Beginning of the branches of tasks: andon gives andon/42-fix-the-cart (administrator only)");
  field(&BoardPolicies::folder, "folder",
        "Folder of the repository in which agents work; all of it when empty (administrator only)");
  field(&BoardPolicies::filters, "filters",
        "Filters of git that Andon may run, such as lfs; none when empty (administrator only)");
  field(&BoardPolicies::land, "land",
        "Who joins accepted work to the default branch: auto or off (administrator only)");
  field(&BoardPolicies::require_evidence, "require_evidence",
        "Whether work without evidence waits for a person");
  field(&BoardPolicies::columns, "columns", "The columns in order");
  field(&BoardPolicies::priorities, "priorities", "Priorities, lowest first");
  field(&BoardPolicies::classes, "classes", "Classes of service in the order they are picked");
  field(&BoardPolicies::default_status, "default_status", "Column of new tasks");
  field(&BoardPolicies::default_priority, "default_priority", "Priority of new tasks");
  field(&BoardPolicies::default_class, "default_class", "Class of new tasks");
  field(&BoardPolicies::checks, "checks", "Named verification commands (administrator only)");
  field(&BoardPolicies::sources, "sources",
        "Named commands whose output automations may quote as {{source.NAME}} (administrator only)");
  field(&BoardPolicies::chains, "chains", "What follows when a task of a role is done");
  field(&BoardPolicies::claim_timeout, "claim_timeout",
        "How long a self-reported claim lives; 0 means for ever");
  field(&BoardPolicies::stale_after, "stale_after",
        "Without progress for this long a run is stopped; 0 means never");
  field(&BoardPolicies::silent_after, "silent_after",
        "Without progress for this long a light turns red; 0 means never");
  field(&BoardPolicies::check_timeout, "check_timeout", "How long one check may take");
  field(&BoardPolicies::setup, "setup",
        "Commands that make a new work tree ready, as [[\"npm\",\"ci\"]] (administrator only)");
  field(&BoardPolicies::setup_cache, "setup_cache",
        "What of the set-up is kept for the next work tree: {key: [FILE], keep: [DIRECTORY]} "
        "(administrator only)");
  field(&BoardPolicies::setup_timeout, "setup_timeout", "How long one command of the set-up may take");
  field(&BoardPolicies::copy, "copy",
        "Ignored files, such as .env, that every work tree gets and that never land (administrator only)");
  field(&BoardPolicies::env, "env",
        "Variables of set-up, agents, checks and previews: NAME=VALUE, or NAME to pass on that of the server "
        "(administrator only)");
  field(&BoardPolicies::ports, "ports",
        "How many ports each work tree has for itself, as ANDON_PORT_0 and on; 0 for none (administrator "
        "only)");
  field(&BoardPolicies::teardown, "teardown",
        "Commands that run before a work tree is removed (administrator only)");
  field(&BoardPolicies::preview, "preview",
        "Command that serves work in review on ANDON_PORT_0 (administrator only)");
  field(&BoardPolicies::commands, "commands",
        "Commands of the machine by name: {checks: [NAME], setup: [NAME], teardown: [NAME], sources: [NAME], "
        "preview: NAME, test_list: NAME} (administrator only)");
  field(&BoardPolicies::land_limits, "land_limits",
        "What a change may do before a person is asked whether it lands; -1 means no limit "
        "(administrator only)");
  field(&BoardPolicies::test_list, "test_list",
        "Command that prints the name of each test on a line, such as pytest --collect-only -q "
        "(administrator only)");
  field(&BoardPolicies::test_reports, "test_reports",
        "JUnit files that the checks write, as build/junit/*.xml (administrator only)");
  field(&BoardPolicies::budget, "budget",
        "What agents may spend here: {run, task, day} of {tokens, usd, time}; {} for no limit");
  field(&BoardPolicies::limits, "limits",
        "What each run may use: {memory, processes, cpu_weight, disk}; {} for no limit");
  field(&BoardPolicies::tui, "tui", "How a terminal shows it");
}

}  // namespace andon::service
