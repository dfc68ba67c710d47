#include <array>

#include "api/workspace_port.hpp"
#include "core/model/task.hpp"
#include "service/runs/landing_verdict.hpp"
#include "service/runs/revert.hpp"

namespace andon::api {

using enum Method;
using enum Effect;
using enum Surfaces;

std::span<Operation const> work_operations() {
  using enum FlagKind;
  static std::array const rows{
      // clang-format off
      workspace_op<&service::run_diff, &WorkspacePort::diff>({
          .name = "run_diff", .method = get, .path = "/runs/{id}/diff",
          .effect = read, .surfaces = http, .access = Access::run,
          .summary = "Show what a run's work changed.",
      }),
      workspace_op<&service::task_diff, &WorkspacePort::diff>({
          .name = "task_diff", .method = get, .path = "/tasks/{id}/diff",
          .effect = read, .surfaces = cli_and_http, .access = Access::run,
          .summary = "Show what the work on a task changed.",
          .command = {.words = "diff", .positional = "id?"},
      }),
      workspace_op<&service::list_work, &WorkspacePort::list>({
          .name = "list_work", .method = get, .path = "/work",
          .effect = read, .surfaces = cli_and_http, .access = Access::person,
          .summary = "List the work trees and what waits to be landed.",
          .command = {.words = "work list"},
      }),
      workspace_op<&service::clean_work, &WorkspacePort::clean>({
          .name = "clean_work", .method = post, .path = "/work/clean",
          .effect = write, .surfaces = cli_and_http, .access = Access::admin,
          .summary = "Remove work trees that hold nothing of their own.",
          .command = {.words = "work clean", .positional = "tasks?"},
      }),
      workspace_op<&service::open_work, &WorkspacePort::open_work>({
          .name = "open_work", .method = get, .path = "/tasks/{id}/work",
          .effect = read, .surfaces = http, .access = Access::person,
          .summary = "Show the work tree of a task and its variables.",
      }),
      workspace_op<&service::take_work, &WorkspacePort::take_work>({
          .name = "take_work", .method = post, .path = "/tasks/{id}/work",
          .effect = write, .surfaces = cli_and_http, .access = Access::person,
          .summary = "Go on with the work of a task: its tree and variables for a shell, and its branch in the repository.",
          .command = {.words = "work open", .positional = "id"},
      }),
      workspace_op<&service::preview_work, &WorkspacePort::preview_work>({
          .name = "preview_work", .method = post, .path = "/tasks/{id}/preview",
          .effect = write, .surfaces = cli_and_http, .access = Access::person,
          .summary = "Serve the work of a task until the task moves.",
          .command = {.words = "work preview", .positional = "id"},
      }),
      op<&service::judge_landing>({
          .name = "judge_landing", .method = post, .path = "/tasks/{id}/landing",
          .effect = write, .surfaces = cli_and_http, .access = Access::person,
          .summary = "Say whether work lands that exceeds limits of its board.",
          .command = {.but = "verdict", .flags = {{.name = "reason", .kind = text}}},
      }),
      op<&service::limit_work>({
          .name = "limit_work", .method = put, .path = "/work",
          .effect = write, .surfaces = cli_and_http, .access = Access::admin,
          .summary = "Set what all work trees may take on the disk.",
          .command = {.words = "work limit", .positional = "limit", .says = "Work trees may take {limit}"},
      }),
      workspace_op<&service::prompt_of, &WorkspacePort::prompt>({
          .name = "show_prompt", .method = get, .path = "/tasks/{id}/prompt",
          .effect = read, .surfaces = cli_and_http, .access = Access::run,
          .summary = "Show exactly what an agent would be told with a task.",
          .command = {.words = "prompt", .positional = "id?"},
      }),
      workspace_op<&service::list_memory, &WorkspacePort::topics>({
          .name = "list_memory", .method = get, .path = "/memory",
          .effect = read, .surfaces = cli_and_http, .access = Access::run,
          .summary = "List the topics of the memory and who is given them.",
          .command = {.words = "memory list"},
      }),
      workspace_op<&service::show_memory, &WorkspacePort::topic>({
          .name = "show_memory", .method = get, .path = "/memory/{topic}",
          .effect = read, .surfaces = cli_and_http, .access = Access::run,
          .summary = "Show a topic of the memory.",
          .command = {.words = "memory show", .positional = "topic"},
      }),
      workspace_op<&service::add_memory, &WorkspacePort::remember>({
          .name = "add_memory", .method = post, .path = "/memory",
          .effect = write, .surfaces = cli_and_http, .access = Access::run,
          .summary = "Keep a fact for later tasks: in a run its worker's, else a topic's.",
          .command = {.words = "memory add", .positional = "text", .flags = {{.name = "text", .kind = text}}},
      }),
      workspace_op<&service::list_repositories, &WorkspacePort::repositories>({
          .name = "list_repositories", .method = get, .path = "/repositories",
          .effect = read, .surfaces = http, .access = Access::admin,
          .summary = "List directories of this machine, and whether a board can work in them.",
      }),
      workspace_op<&service::examine_repository, &WorkspacePort::examine_repository>({
          .name = "examine_repository", .method = get, .path = "/repositories/examination",
          .effect = read, .surfaces = http, .access = Access::admin,
          .summary = "Say what Andon will do with each trait of a repository, before a board gets it.",
      }),
      workspace_op<&service::test_agent, &WorkspacePort::test_agent>({
          .name = "test_agent", .method = post, .path = "/agents/{id}/test",
          .effect = read, .surfaces = http, .access = Access::admin,
          .summary = "Test whether a worker with this agent profile could start here; no model is asked.",
      }),
      op<&service::work_question>({
          .name = "work_question", .method = get, .path = "/work/question",
          .effect = read, .surfaces = internal, .access = Access::admin,
          .summary = "The boards with work trees, and what waits to be landed.",
      }),
      op<&service::work_facts>({
          .name = "work_facts", .method = post, .path = "/work/facts",
          .effect = read, .surfaces = internal, .access = Access::admin,
          .summary = "What the board knows of tasks whose work trees are found.",
      }),
      op<&service::landing_queue>({
          .name = "landing_queue", .method = get, .path = "/landings",
          .effect = read, .surfaces = internal, .access = Access::admin,
          .summary = "What waits to be landed.",
      }),
      op<&service::landed_work>({
          .name = "landed_work", .method = get, .path = "/landings/landed",
          .effect = read, .surfaces = internal, .access = Access::admin,
          .summary = "What landed on a board of late, and how it was taken back.",
      }),
      op<&service::plan_landing>({
          .name = "plan_landing", .method = post, .path = "/landings/{id}/plan",
          .effect = write, .surfaces = internal, .access = Access::admin,
          .summary = "Keep to what commit a default branch is about to be moved.",
      }),
      op<&service::land_run>({
          .name = "land_run", .method = post, .path = "/landings/{id}/land",
          .effect = write, .surfaces = internal, .access = Access::admin,
          .summary = "Record that work is part of the default branch.",
      }),
      op<&service::hold_landing>({
          .name = "hold_landing", .method = post, .path = "/landings/{id}/hold",
          .effect = write, .surfaces = internal, .access = Access::admin,
          .summary = "Say what accepted work waits for.",
      }),
      op<&service::ask_landing>({
          .name = "ask_landing", .method = post, .path = "/landings/{id}/ask",
          .effect = write, .surfaces = internal, .access = Access::admin,
          .summary = "Ask a person whether work lands that exceeds limits of its board.",
      }),
      op<&service::return_landing>({
          .name = "return_landing", .method = post, .path = "/landings/{id}/return",
          .effect = write, .surfaces = internal, .access = Access::admin,
          .summary = "Send work back that cannot be landed.",
      }),
      // clang-format on
  };
  return rows;
}

}  // namespace andon::api
