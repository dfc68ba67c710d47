#pragma once

#include "core/tasks/pick.hpp"
#include "service/requests.hpp"
#include "service/tasks/change.hpp"

namespace andon::service {

struct PickRequest {
  std::string by;
  std::string worker;
  std::vector<std::string> boards;
  std::vector<std::string> status;
  std::optional<core::Stage> stage;
  std::string move;
  std::vector<std::string> tags;
  std::string class_;
  std::string role;
  std::optional<core::Duration> wait;
  std::optional<int> limit;
};
BOOST_DESCRIBE_STRUCT(PickRequest, (),
                      (by, worker, boards, status, stage, move, tags, class_, role, wait, limit))
inline constexpr std::array kPickFields{
    core::Field{"by", "Name to claim for; the caller's own when left out"},
    core::Field{"worker", "Registered worker to pick for"},
    core::Field{"boards", "Boards to look at; all the picker works on when left out"},
    core::Field{"status", "Columns to pick from"},
    core::Field{"stage", "Stage to pick from"},
    core::Field{"move", "Column to move the task to"},
    core::Field{"tags", "Only tasks with one of these tags"},
    core::Field{"class", "Class of service that comes first"},
    core::Field{"role", "Role of the picker"},
    core::Field{"wait", "How long to wait for a task, at most 60s"},
    core::Field{"limit", "Pick up to this many; the answer is a list"}};
constexpr auto const& fields(PickRequest const*) { return kPickFields; }

/// Claims the best task the caller may start. `NOTHING_TO_PICK` says how many were passed over for which
/// reason; `WIP_LIMIT_EXCEEDED` when a full target alone stopped every candidate; `PICK_UNFINISHED` that not
/// every task was looked at and that the next pick goes on.
core::Result<core::Task> pick_task(OperationContext& ctx, PickRequest const& request);

struct PickedTasks {
  std::vector<core::Task> items;
};
BOOST_DESCRIBE_STRUCT(PickedTasks, (), (items))
inline constexpr std::array kPickedFields{
    core::Field{"items", "The tasks, each with its own claim", core::always}};
constexpr auto const& fields(PickedTasks const*) { return kPickedFields; }
core::Result<PickedTasks> pick_tasks(OperationContext& ctx, PickRequest const& request);

/// The next task of these boards for a worker, placed where a start puts it but not yet claimed; refused as a
/// pick is.
core::Result<Change> next_for(OperationContext& ctx, std::vector<core::Board const*> const& boards,
                              core::Worker const& worker);
/// The reason why the worker's pick would pass over a task that is ready and not held back by its own fields.
core::Skip passed_over_by(OperationContext& ctx, core::Board const& board, core::Worker const& worker,
                          core::Task const& task);

}  // namespace andon::service
