#include <array>

#include "api/workspace_port.hpp"
#include "core/model/task.hpp"
#include "service/automations/automations.hpp"
#include "service/automations/firing.hpp"

namespace andon::api {

using enum Method;
using enum Effect;
using enum Surfaces;

namespace {

/// Runs the commands that the texts of an automation quote.
Preparation quoting() {
  return prepared<&service::wanted_sources, &WorkspacePort::sources, &service::FireRequest::sources>();
}

/// The flags that fill the template of the task.
std::vector<Flag> template_flags(std::string_view title, std::string_view body) {
  using enum FlagKind;
  return {
      {.name = "title", .kind = handled, .help = title},
      {.name = "body", .kind = handled, .help = body},
      {.name = "brief", .kind = handled, .help = "File with the brief; - reads the standard input"},
      {.name = "role", .kind = handled, .help = "Role that may take the task"},
      {.name = "worker", .kind = handled, .help = "Worker or person who shall do the task"},
      {.name = "status", .kind = handled, .help = "Column of the task; the ready column when left out"},
      {.name = "priority", .kind = handled, .help = "Priority of the task"},
      {.name = "class", .kind = handled, .help = "Class of service of the task"},
      {.name = "review", .kind = handled, .help = "required, none or inherit"},
      {.name = "tag", .kind = handled, .takes = Takes::list, .help = "Tags of the task"},
      {.name = "next",
       .kind = handled,
       .help = "Task that follows when it is done: JSON, or a file that holds it"},
      {.name = "template", .kind = json_value, .help = "The whole task as JSON"},
  };
}

}  // namespace

std::span<Operation const> automation_operations() {
  static std::array const rows{
      // clang-format off
      op<&service::list_automations>({
          .name = "list_automations", .method = get, .path = "/automations",
          .effect = read, .surfaces = cli_and_http, .access = Access::person,
          .summary = "List the automations.",
          .command = {.words = "automations list"},
      }),
      op<&service::add_automation>({
          .name = "add_automation", .method = post, .path = "/automations",
          .effect = write, .surfaces = cli_and_http, .access = Access::person,
          .summary = "Add a rule that makes tasks on a schedule or when the queue is dry.",
          .command = {
              .words = "automations add", .positional = "name", .says = "Added automation {name}",
              .flags = template_flags("Title of the task it makes",
                                     "Brief of the task; {{metrics}} becomes the board's health"),
          },
          .status = 201,
      }),
      op<&service::get_automation>({
          .name = "get_automation", .method = get, .path = "/automations/{id}",
          .effect = read, .surfaces = cli_and_http, .access = Access::person,
          .summary = "Show one automation.",
          .command = {.words = "automations show", .positional = "id"},
      }),
      op<&service::edit_automation>({
          .name = "edit_automation", .method = patch, .path = "/automations/{id}",
          .effect = write, .surfaces = cli_and_http, .access = Access::person,
          .summary = "Change an automation.",
          .command = {
              .words = "automations edit", .positional = "id", .says = "Changed automation {name}",
              .flags = template_flags("New title of the task it makes",
                                     "New brief of the task; {{metrics}} becomes the board's health"),
          },
      }),
      op<&service::remove_automation>({
          .name = "remove_automation", .method = del, .path = "/automations/{id}",
          .effect = destroy, .surfaces = cli_and_http, .access = Access::person,
          .summary = "Remove an automation; its tasks stay.",
          .command = {.words = "automations remove", .positional = "id", .says = "Removed automation {name}"},
          .confirms = Confirms::on_terminal,
      }),
      op<&service::run_automation>({
          .name = "run_automation", .method = post, .path = "/automations/{id}/run",
          .effect = write, .surfaces = cli_and_http, .access = Access::person,
          .summary = "Make the task of an automation now.",
          .command = {.words = "automations run", .positional = "id", .says = "Created task #{id}: {title}"},
          .status = 201,
          .prepare = quoting(),
      }),
      op<&service::due_automations>({
          .name = "due_automations", .method = get, .path = "/automations/due",
          .effect = read, .surfaces = internal, .access = Access::admin,
          .summary = "List the automations that are due.",
      }),
      op<&service::fire_automation>({
          .name = "fire_automation", .method = post, .path = "/automations/{id}/fire",
          .effect = write, .surfaces = internal, .access = Access::admin,
          .summary = "Make the task of an automation that is due.",
          .prepare = quoting(),
      }),
      // clang-format on
  };
  return rows;
}

}  // namespace andon::api
