#include <array>

#include "api/workspace_port.hpp"

namespace andon::api {

using enum Method;
using enum Effect;
using enum Surfaces;

std::span<Operation const> work_operations() {
  static std::array const rows{
      // clang-format off
      workshop_op<&service::run_diff, &WorkspacePort::diff>("run_diff", get, "/runs/{id}/diff", read, http, Access::run, "Show what a run's work changed."),
      workshop_op<&service::task_diff, &WorkspacePort::diff>("task_diff", get, "/tasks/{id}/diff", read, cli_and_http, Access::run, "Show what the work on a task changed.", {"diff", "id?", ""}),
      workshop_op<&service::list_work, &WorkspacePort::list>("list_work", get, "/work", read, cli_and_http, Access::person, "List the work trees and what waits to be landed.", {"work list", "", ""}),
      workshop_op<&service::clean_work, &WorkspacePort::clean>("clean_work", post, "/work/clean", write, cli_and_http, Access::admin, "Remove work trees that hold nothing of their own.", {"work clean", "tasks?", ""}),
      op<&service::limit_work>("limit_work", put, "/work", write, cli_and_http, Access::admin, "Set what all work trees may take on the disk.", {"work limit", "limit", "Work trees may take {limit}"}),
      workshop_op<&service::prompt_of, &WorkspacePort::prompt>("show_prompt", get, "/tasks/{id}/prompt", read, cli_and_http, Access::run, "Show exactly what an agent would be told with a task.", {"prompt", "id?", ""}),
      workshop_op<&service::list_memory, &WorkspacePort::topics>("list_memory", get, "/memory", read, cli_and_http, Access::run, "List the topics of the memory and who is given them.", {"memory list", "", ""}),
      workshop_op<&service::show_memory, &WorkspacePort::topic>("show_memory", get, "/memory/{topic}", read, cli_and_http, Access::run, "Show a topic of the memory.", {"memory show", "topic", ""}),
      workshop_op<&service::add_memory, &WorkspacePort::remember>("add_memory", post, "/memory", write, cli_and_http, Access::run, "Keep a fact for later tasks: in a run its worker's, else a topic's.", {"memory add", "text", ""}),
      op<&service::work_question>("work_question", get, "/work/question", read, internal, Access::admin, "The boards with work trees, and what waits to be landed."),
      op<&service::work_facts>("work_facts", post, "/work/facts", read, internal, Access::admin, "What the board knows of tasks whose work trees are found."),
      op<&service::landing_queue>("landing_queue", get, "/landings", read, internal, Access::admin, "What waits to be landed."),
      op<&service::plan_landing>("plan_landing", post, "/landings/{id}/plan", write, internal, Access::admin, "Keep to what commit a default branch is about to be moved."),
      op<&service::land_run>("land_run", post, "/landings/{id}/land", write, internal, Access::admin, "Record that work is part of the default branch."),
      op<&service::hold_landing>("hold_landing", post, "/landings/{id}/hold", write, internal, Access::admin, "Say what accepted work waits for."),
      op<&service::return_landing>("return_landing", post, "/landings/{id}/return", write, internal, Access::admin, "Send work back that cannot be landed."),
      // clang-format on
  };
  return rows;
}

}  // namespace andon::api
