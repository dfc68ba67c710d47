#pragma once

#include <optional>
#include <string>

#include "core/model/task.hpp"

namespace andon::core {

struct Board;
struct Column;
struct Change;
}  // namespace andon::core

namespace andon::service {
struct OperationContext;

/// The times of a task in the system it comes from. An unknown time becomes the present one.
struct ImportedTimestamps {
  std::optional<core::Instant> created;
  std::optional<core::Instant> started;
  std::optional<core::Instant> completed;
  std::string blocked;  ///< why it is blocked; empty when it is not
};

/// Puts a new task into a column, before it is stored.
void put_into(core::Task& task, core::Column const& column, core::Instant now);

/// Stores a new task with its event, and nothing that follows from it; `add_task` does both.
core::Task store_task(OperationContext& ctx, core::Task task, ImportedTimestamps const& past = {});
/// Like `store_task`, for an approved task that a chain, a review or an automation made: in `status`, or in
/// the ready column, or in the backlog stage while that is full or the task must wait.
core::Task store_ready_task(OperationContext& ctx, core::Board const& board, core::Task task,
                            std::string const& status);
/// The change that a new task is for others: they had not counted it before.
core::Change added(core::Task const& task, core::Board const& board);

}  // namespace andon::service
