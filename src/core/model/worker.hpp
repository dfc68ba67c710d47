#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/field.hpp"
#include "core/id.hpp"
#include "core/model/budget.hpp"
#include "core/model/plan.hpp"
#include "core/model/resource_limits.hpp"
#include "core/time/quiet_hours.hpp"
#include "core/time/time.hpp"

namespace andon::core {

enum class Conversation { fresh, task, worker };
inline constexpr std::array<std::string_view, 3> kConversationNames{"fresh", "task", "worker"};
constexpr auto const& wire_names(Conversation) { return kConversationNames; }

/// The level of a worker: how much its agent may do without asking. Agent profiles say by these names what
/// it means for their program.
enum class Permissions { readonly, edit, full, ask };
inline constexpr std::array<std::string_view, 4> kPermissionsNames{"readonly", "edit", "full", "ask"};
constexpr auto const& wire_names(Permissions) { return kPermissionsNames; }
constexpr std::string_view to_text(Permissions level) {
  return kPermissionsNames[static_cast<std::size_t>(level)];
}

/// The light of a worker.
enum class WorkerStatus { idle, working, silent, stale, paused, limited, offline };
inline constexpr std::array<std::string_view, 7> kLightNames{"idle",   "working", "silent", "stale",
                                                             "paused", "limited", "offline"};
constexpr auto const& wire_names(WorkerStatus) { return kLightNames; }

/// A named persona that does tasks. It names an agent profile of the administrator and holds no command
/// itself.
struct Worker {
  std::string name;
  std::string role;
  std::string title;
  std::string agent;                ///< the first of `agents`
  std::vector<std::string> agents;  ///< agent profiles in the order of preference; empty for `agent` alone
  std::string model;
  std::string colour;
  std::string prompt;
  std::string prompt_file;
  std::vector<std::string> memory;
  std::vector<std::string> tools;
  Conversation conversation = Conversation::fresh;
  int capacity = 1;
  bool takes_unassigned = false;
  std::vector<std::string> boards{"*"};
  Permissions permissions = Permissions::edit;
  std::optional<Budget> budget;
  std::optional<ResourceLimits> limits;
  std::optional<QuietHours> quiet;
  PlanRule plan = PlanRule::none;
  bool paused = false;
  std::string paused_because;
  std::optional<Instant> resumed;  ///< what it did before does not count against it
  Revision rev = 1;
  Instant created{};
  // Derived, only in answers:
  WorkerStatus state = WorkerStatus::idle;
  std::optional<TaskId> task;
  std::optional<Instant> since;
  std::int64_t queued = 0;
  std::optional<Instant> limited_until;
  bool overloaded = false;  ///< until then the service of its model is at capacity; no limit was met
  std::string uses;         ///< the agent of its next run, while the first one rests
  std::vector<std::string> warnings;
};
void describe(auto& field, Worker const*) {
  field(&Worker::name, "name", "Name of the worker", always);
  field(&Worker::role, "role", "Tasks for this role are its own");
  field(&Worker::title, "title", "What people read");
  field(&Worker::agent, "agent", "Agent profile that runs it", always);
  field(&Worker::agents, "agents",
        "Agent profiles in the order of preference: while the account of one rests, the next is used");
  field(&Worker::model, "model", "Model the agent is told to use");
  field(&Worker::colour, "colour", "One of the twelve hues of the page");
  field(&Worker::prompt, "prompt", "Role document");
  field(&Worker::prompt_file, "prompt_file", "File of the data directory with the role document");
  field(&Worker::memory, "memory", "Topic files given to it with every task");
  field(&Worker::tools, "tools", "Tools the agent may use");
  field(&Worker::conversation, "conversation",
        "Whether it starts fresh or goes on with the task's or its own conversation", always);
  field(&Worker::capacity, "capacity", "Most tasks at once", always);
  field(&Worker::takes_unassigned, "takes_unassigned",
        "Whether it takes tasks without an assignee and a role", always);
  field(&Worker::boards, "boards", "Boards it works on; * means all", always);
  field(&Worker::permissions, "permissions", "readonly, edit, full or ask", always);
  field(&Worker::budget, "budget", "What it may spend: per run, task and day");
  field(&Worker::limits, "limits", "Most memory, processes and disk of each of its runs");
  field(&Worker::quiet, "quiet", "Hours of the day in which it starts nothing");
  field(&Worker::plan, "plan", "required when a person must accept a plan before each of its tasks",
        set_only);
  field(&Worker::paused, "paused", "Whether it picks nothing", always);
  field(&Worker::paused_because, "paused_because", "Why it was paused");
  field(&Worker::resumed, "resumed", "When it was last let pick again");
  field(&Worker::rev, "rev", "Rises with every change", always);
  field(&Worker::created, "created", "When it was added", always);
  field(&Worker::state, "state", "Its light", always);
  field(&Worker::task, "task", "Task it works on");
  field(&Worker::since, "since", "Since when");
  field(&Worker::queued, "queued", "Ready tasks waiting for it", always);
  field(&Worker::limited_until, "limited_until", "When the first usage limit of its accounts ends");
  field(&Worker::overloaded, "overloaded",
        "Whether it waits until then for the service of its model, which is at capacity", set_only);
  field(&Worker::uses, "uses", "Agent profile of its next run, while the first one rests");
  field(&Worker::warnings, "warnings", "Remarks on a change of it, for a person");
}

/// The agent profiles of the worker in the order of preference; empty for a worker without an agent.
std::vector<std::string> agents_of(Worker const& worker);

/// Whether the worker works on that board.
bool serves(Worker const& worker, std::string_view board);

}  // namespace andon::core
