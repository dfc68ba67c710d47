#pragma once

#include "service/requests.hpp"

namespace andon::service {

struct MergeTasksRequest {
  TaskRef id;
  TaskRef into;
};
void describe(auto& field, MergeTasksRequest const*) {
  field(&MergeTasksRequest::id, "id", "The copy, which is archived", core::required);
  field(&MergeTasksRequest::into, "into", "The task that stays", core::required);
}

/// Archives a copy and gives the task that stays what hangs on it: tags, touched files, sub-tasks, the tasks
/// that wait for it, and its brief and result as a note. Refused while somebody works on the copy. Returns
/// the task that stays.
core::Result<core::Task> merge_tasks(OperationContext& ctx, MergeTasksRequest const& request);

}  // namespace andon::service
