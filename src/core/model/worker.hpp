#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <boost/describe.hpp>

#include "core/field.hpp"
#include "core/model/budget.hpp"
#include "core/model/task.hpp"
#include "core/time/time.hpp"

namespace andon::core {

enum class Conversation { fresh, task, worker };
inline constexpr std::array<std::string_view, 3> kConversationNames{"fresh", "task", "worker"};
constexpr auto const& wire_names(Conversation) { return kConversationNames; }

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
  std::string agent;
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
  std::string permissions = "edit";
  std::optional<Budget> budget;
  bool paused = false;
  std::string paused_because;
  std::optional<Instant> resumed;  ///< what it did before does not count against it
  std::int64_t rev = 1;
  Instant created{};
  // Derived, only in answers:
  WorkerStatus state = WorkerStatus::idle;
  std::optional<TaskId> task;
  std::optional<Instant> since;
  std::int64_t queued = 0;
  std::optional<Instant> limited_until;
};
BOOST_DESCRIBE_STRUCT(Worker, (),
                      (name, role, title, agent, model, colour, prompt, prompt_file, memory, tools,
                       conversation, capacity, takes_unassigned, boards, permissions, budget, paused,
                       paused_because, resumed, rev, created, state, task, since, queued, limited_until))
inline constexpr std::array kWorkerFields{
    Field{"name", "Name of the worker", always},
    Field{"role", "Tasks for this role are its own"},
    Field{"title", "What people read"},
    Field{"agent", "Agent profile that runs it", always},
    Field{"model", "Model the agent is told to use"},
    Field{"colour", "One of the twelve hues of the page"},
    Field{"prompt", "Role document"},
    Field{"prompt_file", "File of the data directory with the role document"},
    Field{"memory", "Topic files given to it with every task"},
    Field{"tools", "Tools the agent may use"},
    Field{"conversation", "Whether it starts fresh or goes on with the task's or its own conversation",
          always},
    Field{"capacity", "Most tasks at once", always},
    Field{"takes_unassigned", "Whether it takes tasks without an assignee and a role", always},
    Field{"boards", "Boards it works on; * means all", always},
    Field{"permissions", "readonly, edit, full or ask", always},
    Field{"budget", "What it may spend: per run, task and day"},
    Field{"paused", "Whether it picks nothing", always},
    Field{"paused_because", "Why it was paused"},
    Field{"resumed", "When it was last let pick again"},
    Field{"rev", "Rises with every change", always},
    Field{"created", "When it was added", always},
    Field{"state", "Its light", always},
    Field{"task", "Task it works on"},
    Field{"since", "Since when"},
    Field{"queued", "Ready tasks waiting for it", always},
    Field{"limited_until", "When the usage limit of its account ends"}};
constexpr auto const& fields(Worker const*) { return kWorkerFields; }

/// Whether the worker works on that board.
bool serves(Worker const& worker, std::string_view board);

}  // namespace andon::core
