#pragma once

#include <string>
#include <vector>

#include "service/requests.hpp"

namespace andon::service {

/// One thing that stands between a task and an agent working on it.
struct DispatchBlocker {
  std::string code;
  std::string text;
};
BOOST_DESCRIBE_STRUCT(DispatchBlocker, (), (code, text))
inline constexpr std::array kHindranceFields{
    core::Field{
        "code",
        "stage, blocked, claimed, dependency, not_before, approval, frozen, wip, class_wip, touches, paused, "
        "slots, budget, runner, worker, account or turn",
        core::always},
    core::Field{"text", "The same in words", core::always}};
constexpr auto const& fields(DispatchBlocker const*) { return kHindranceFields; }

struct DispatchBlockers {
  core::TaskId id = 0;
  std::string key;
  std::string title;
  std::string status;
  core::Stage stage = core::Stage::backlog;
  bool running = false;
  std::string worker;                       ///< who would take it next, or works on it
  std::vector<DispatchBlocker> hindrances;  ///< empty when it runs or starts at the next look
};
BOOST_DESCRIBE_STRUCT(DispatchBlockers, (), (id, key, title, status, stage, running, worker, hindrances))
inline constexpr std::array kHindrancesFields{
    core::Field{"id", "The task", core::always},
    core::Field{"key", "Its key on a board with a prefix"},
    core::Field{"title", "What is to be done", core::always},
    core::Field{"status", "Column it is in", core::always},
    core::Field{"stage", "What the column means", core::always},
    core::Field{"running", "Whether an agent works on it", core::always},
    core::Field{"worker", "Who works on it, or takes it next"},
    core::Field{"hindrances", "Everything that keeps it from running", core::always}};
constexpr auto const& fields(DispatchBlockers const*) { return kHindrancesFields; }

/// Why no agent works on the task: every reason, those of the task first, then the board's, then the
/// workers'.
core::Result<DispatchBlockers> why_not_running(OperationContext& ctx, TaskRequest const& request);

}  // namespace andon::service
