#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/model/automation.hpp"
#include "service/automations/automations.hpp"

namespace andon::service {

// Firing: an automation makes its task. Whether it is due is decided again inside the write that makes the
// task, so two servers on one store cannot both fire.

struct DueAutomation {
  core::AutomationId id = 0;
  std::string name;
};
void describe(auto& field, DueAutomation const*) {
  field(&DueAutomation::id, "id", "Number of the automation", core::always);
  field(&DueAutomation::name, "name", "Its name", core::always);
}

struct DueAutomations {
  std::vector<DueAutomation> items;
  std::optional<core::Instant> next;
};
void describe(auto& field, DueAutomations const*) {
  field(&DueAutomations::items, "items", "Automations that are due", core::always);
  field(&DueAutomations::next, "next", "When another becomes due if nothing changes");
}

struct Fired {
  std::optional<core::TaskId> task;
  std::optional<core::TaskId> stands{};
};
void describe(auto& field, Fired const*) {
  field(&Fired::task, "task", "The task it made, if it was due");
  field(&Fired::stands, "stands", "The open task that asks for it already, in which case it made none");
}

/// Fire that automation. What its template quotes is there already: it is the machine's answer and never the
/// caller's.
struct FireRequest {
  AutomationRef id;
  std::map<std::string, std::string> sources;  ///< name → text
};
void describe(auto& field, FireRequest const*) { field(&FireRequest::id, kAutomationIdField); }

/// The commands whose output an automation's template quotes; their repository, empty for none.
struct SourceQuestion {
  std::string board;
  std::string repo;
  std::map<std::string, std::vector<std::string>> commands;  ///< name → argv
  std::string branch{};                                      ///< of the board
};
void describe(auto& field, SourceQuestion const*) {
  field(&SourceQuestion::board, "board", "Name of the board");
  field(&SourceQuestion::repo, "repo", "Repository they run in");
  field(&SourceQuestion::commands, "commands", "What to run, by name");
  field(&SourceQuestion::branch, "branch", "Branch of that repository; its default when empty");
}

/// The commands whose output the automation needs before it can fire. Empty when it cannot fire, because its
/// last task is open.
core::Result<SourceQuestion> wanted_sources(OperationContext& ctx, FireRequest const& request);

core::Result<DueAutomations> due_automations(OperationContext& ctx, NoRequest const&);
/// Makes the task of an automation that is due, unless an open task of somebody else asks for it already. A
/// schedule whose last task is still open passes over this time and waits for the next.
core::Result<Fired> fire_automation(OperationContext& ctx, FireRequest const& request);
/// Makes its task now, by hand. Refuses `STATUS_CONFLICT` while the last one is open.
core::Result<core::Task> run_automation(OperationContext& ctx, FireRequest const& request);

/// The automation with its open task and, for a dry queue, when it would fire.
core::Automation with_state(OperationContext& ctx, core::Automation automation);

}  // namespace andon::service
