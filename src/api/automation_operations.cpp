#include <array>

#include "api/workspace_port.hpp"
#include "service/automations/automations.hpp"
#include "service/automations/firing.hpp"

namespace andon::api {

using enum Method;
using enum Effect;
using enum Surfaces;

namespace {

Operation quoting(Operation row) {
  return prepared<&service::wanted_sources, &WorkspacePort::sources, &service::FireRequest::sources>(row);
}

}  // namespace

std::span<Operation const> automation_operations() {
  static std::array const rows{
      // clang-format off
      op<&service::list_automations>("list_automations", get, "/automations", read, cli_and_http, Access::person, "List the automations.", {"automations list", "", ""}),
      op<&service::add_automation>("add_automation", post, "/automations", write, cli_and_http, Access::person, "Add a rule that makes tasks on a schedule or when the queue is dry.", {"automations add", "name", "Added automation {name}"}, 201),
      op<&service::get_automation>("get_automation", get, "/automations/{id}", read, cli_and_http, Access::person, "Show one automation.", {"automations show", "id", ""}),
      op<&service::edit_automation>("edit_automation", patch, "/automations/{id}", write, cli_and_http, Access::person, "Change an automation.", {"automations edit", "id", "Changed automation {name}"}),
      op<&service::remove_automation>("remove_automation", del, "/automations/{id}", destroy, cli_and_http, Access::person, "Remove an automation; its tasks stay.", {"automations remove", "id", "Removed automation {name}"}),
      quoting(op<&service::run_automation>("run_automation", post, "/automations/{id}/run", write, cli_and_http, Access::person, "Make the task of an automation now.", {"automations run", "id", "Created task #{id}: {title}"}, 201)),
      op<&service::due_automations>("due_automations", get, "/automations/due", read, internal, Access::admin, "List the automations that are due."),
      quoting(op<&service::fire_automation>("fire_automation", post, "/automations/{id}/fire", write, internal, Access::admin, "Make the task of an automation that is due.")),
      // clang-format on
  };
  return rows;
}

}  // namespace andon::api
