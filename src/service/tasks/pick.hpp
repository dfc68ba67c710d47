#pragma once

#include <functional>

#include "core/model/stage.hpp"
#include "core/model/task.hpp"
#include "core/tasks/pick.hpp"
#include "service/requests.hpp"

namespace andon::core {

struct ServiceClass;
struct Change;
}  // namespace andon::core

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
void describe(auto& field, PickRequest const*) {
  field(&PickRequest::by, "by", "Name to claim for; the caller's own when left out");
  field(&PickRequest::worker, "worker", "Registered worker to pick for");
  field(&PickRequest::boards, "boards", "Boards to look at; all the picker works on when left out");
  field(&PickRequest::status, "status", "Columns to pick from");
  field(&PickRequest::stage, "stage", "Stage to pick from");
  field(&PickRequest::move, "move", "Column to move the task to");
  field(&PickRequest::tags, "tags", "Only tasks with one of these tags");
  field(&PickRequest::class_, "class", "Class of service that comes first");
  field(&PickRequest::role, "role", "Role of the picker");
  field(&PickRequest::wait, "wait", "How long to wait for a task, at most 60s");
  field(&PickRequest::limit, "limit", "Pick up to this many; the answer is a list");
}

/// Claims the best task the caller may start. `NOTHING_TO_PICK` says how many were passed over for which
/// reason; `WIP_LIMIT_EXCEEDED` when a full target alone stopped every candidate; `PICK_UNFINISHED` that not
/// every task was looked at and that the next pick goes on.
core::Result<core::Task> pick_task(OperationContext& ctx, PickRequest const& request);

struct PickedTasks {
  std::vector<core::Task> items;
};
void describe(auto& field, PickedTasks const*) {
  field(&PickedTasks::items, "items", "The tasks, each with its own claim", core::always);
}
core::Result<PickedTasks> pick_tasks(OperationContext& ctx, PickRequest const& request);

/// Whether no agent may start a task of the class on the board now, and why.
using ClassGate =
    std::function<core::Skip(core::Board const& board, core::ServiceClass const& service_class)>;

/// The next task of these boards for a worker, placed where a start puts it but not yet claimed; refused as a
/// pick is. Tasks of classes behind the gate cost nothing.
core::Result<core::Change> next_for(OperationContext& ctx, std::vector<core::Board const*> const& boards,
                                    core::Worker const& worker, ClassGate const& gate);
/// The reason why the worker's pick would pass over a task that is ready and not held back by its own fields.
core::Skip passed_over_by(OperationContext& ctx, core::Board const& board, core::Worker const& worker,
                          core::Task const& task);

}  // namespace andon::service
