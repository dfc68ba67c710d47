#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <boost/describe.hpp>

#include "core/model/automation.hpp"
#include "service/automations/automations.hpp"

namespace andon::service {

// Firing: an automation makes its task. Whether it is due is decided again inside the write that makes the
// task, so two servers on one store cannot both fire.

struct DueAutomation {
  core::AutomationId id = 0;
  std::string name;
};
BOOST_DESCRIBE_STRUCT(DueAutomation, (), (id, name))
inline constexpr std::array kDueAutomationFields{core::Field{"id", "Number of the automation", core::always},
                                                 core::Field{"name", "Its name", core::always}};
constexpr auto const& fields(DueAutomation const*) { return kDueAutomationFields; }

struct DueAutomations {
  std::vector<DueAutomation> items;
  std::optional<core::Instant> next;
};
BOOST_DESCRIBE_STRUCT(DueAutomations, (), (items, next))
inline constexpr std::array kDueAutomationsFields{
    core::Field{"items", "Automations that are due", core::always},
    core::Field{"next", "When another becomes due if nothing changes"}};
constexpr auto const& fields(DueAutomations const*) { return kDueAutomationsFields; }

struct Fired {
  std::optional<core::TaskId> task;
};
BOOST_DESCRIBE_STRUCT(Fired, (), (task))
inline constexpr std::array kFiredFields{core::Field{"task", "The task it made, if it was due"}};
constexpr auto const& fields(Fired const*) { return kFiredFields; }

/// Fire that automation. What its template quotes is there already: it is the machine's answer and never the
/// caller's.
struct FireRequest {
  AutomationRef id;
  std::map<std::string, std::string> sources;  ///< name → text
};
BOOST_DESCRIBE_STRUCT(FireRequest, (), (id))
inline constexpr std::array kFireRequestFields{kAutomationIdField};
constexpr auto const& fields(FireRequest const*) { return kFireRequestFields; }

/// The commands whose output an automation's template quotes; their repository, empty for none.
struct SourceQuestion {
  std::string board;
  std::string repo;
  std::map<std::string, std::vector<std::string>> commands;  ///< name → argv
};
BOOST_DESCRIBE_STRUCT(SourceQuestion, (), (board, repo, commands))
inline constexpr std::array kSourceQuestionFields{core::Field{"board", "Name of the board"},
                                                  core::Field{"repo", "Repository they run in"},
                                                  core::Field{"commands", "What to run, by name"}};
constexpr auto const& fields(SourceQuestion const*) { return kSourceQuestionFields; }

/// The commands whose output the automation needs before it can fire. Empty when it cannot fire, because its
/// last task is open.
core::Result<SourceQuestion> wanted_sources(OperationContext& ctx, FireRequest const& request);

core::Result<DueAutomations> due_automations(OperationContext& ctx, NoRequest const&);
/// Makes the task of an automation that is due. A schedule whose last task is still open passes over this
/// time and waits for the next.
core::Result<Fired> fire_automation(OperationContext& ctx, FireRequest const& request);
/// Makes its task now, by hand. Refuses `STATUS_CONFLICT` while the last one is open.
core::Result<core::Task> run_automation(OperationContext& ctx, FireRequest const& request);

/// The automation with its open task and, for a dry queue, when it would fire.
core::Automation with_state(OperationContext& ctx, core::Automation automation);

}  // namespace andon::service
