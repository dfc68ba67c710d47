#include <array>

#include "api/operation.hpp"
#include "core/model/task.hpp"
#include "service/boards/import.hpp"
#include "service/insight/dependency_graph.hpp"
#include "service/insight/search.hpp"
#include "service/insight/why.hpp"
#include "service/runs/revert.hpp"
#include "service/tasks/claim.hpp"
#include "service/tasks/copies.hpp"
#include "service/tasks/copy.hpp"
#include "service/tasks/create.hpp"
#include "service/tasks/edit.hpp"
#include "service/tasks/finish.hpp"
#include "service/tasks/merge.hpp"
#include "service/tasks/move.hpp"
#include "service/tasks/pick.hpp"
#include "service/tasks/plan.hpp"
#include "service/tasks/task_actions.hpp"
#include "service/tasks/tasks.hpp"

namespace andon::api {

using enum Method;
using enum Effect;
using enum Surfaces;
using service::Stored;

namespace {

/// True when a list must read tasks one by one, because no index holds what it filters by.
bool looks_at_texts(void const* request) {
  auto const& asked = *static_cast<service::ListTasksRequest const*>(request);
  return !asked.q.empty() || !asked.tag.empty();
}

constexpr Flag kNextFlag{.name = "next",
                         .field = "next_tasks",
                         .kind = FlagKind::json_value,
                         .help = "Task that follows when it is done: JSON"};
constexpr Flag kPickFlag{.name = "pick",
                         .kind = FlagKind::handled,
                         .takes = Takes::nothing,
                         .help = "Claim the next task for the same name in the same step"};
constexpr Flag kResultFlag{.name = "result", .kind = FlagKind::text};
constexpr Flag kNoChangeFlag{
    .name = "no-change", .kind = FlagKind::text, .help = "Why no file had to be changed"};

/// Adds the flags that empty the plain fields of a task.
std::vector<Flag> with_clearing_flags(std::vector<Flag> flags) {
  for (auto const& field : core::kPlainFields)
    flags.push_back({.name = field.clearing_flag,
                     .field = field.name,
                     .kind = FlagKind::blanks,
                     .help = field.help_of_clearing});
  return flags;
}

}  // namespace

std::span<Operation const> task_operations() {
  using enum FlagKind;
  using enum Takes;
  static std::array const rows{
      // clang-format off
      op<&service::list_tasks>({
          .name = "list_tasks", .method = get, .path = "/tasks",
          .effect = read, .surfaces = all, .access = Access::run,
          .summary = "List tasks.",
          .command = {
              .words = "list", .but = "bodies",
              .flags = {
                  {.name = "search", .letter = 's', .field = "q"},
                  {.name = "reverse", .letter = 'r'},
                  {.name = "limit", .letter = 'n', .kind = handled,
                   .help = "Most tasks in the answer; 0 means all"},
                  {.name = "worker", .field = "assignee"},
                  {.name = "group-by", .kind = handled,
                   .help = "Headings by assignee, tag, class, priority, status, role or parent"},
              },
          },
          .tool = {.says = "Lists tasks, 50 at a time. Use it to look for work like yours before you create a task.",
                   .of_run = "status stage parent assignee q limit cursor",
                   .but = "mine"},
          .takes_long = &looks_at_texts,
      }),
      op<&service::list_cards>({
          .name = "list_cards", .method = get, .path = "/tasks?view=card",
          .effect = read, .surfaces = internal, .access = Access::person,
          .summary = "List tasks as the page draws them.",
          .takes_long = &looks_at_texts,
      }),
      op<&service::create_task>({
          .name = "create_task", .method = post, .path = "/tasks",
          .effect = write, .surfaces = all, .access = Access::run,
          .summary = "Create a task.",
          .command = {
              .words = "create", .positional = "title", .says = "Created task #{id}: {title}",
              .flags = {
                  {.name = "tag", .field = "tags"},
                  {.name = "body", .kind = text},
                  {.name = "description", .field = "body", .kind = text},
                  {.name = "brief", .field = "body", .kind = file, .help = "File with the brief"},
                  {.name = "worker", .field = "assignee"},
                  kNextFlag,
                  {.name = "check", .field = "checks"},
              },
          },
          .tool = {.says = "Creates a task. Look first with list_tasks whether it is there already. An equal task is "
                           "returned, and a near copy is refused; not_a_copy names tasks of which yours is no copy.",
                   .of_run = "title body status role assignee priority parent depends_on tags touches next_tasks "
                             "not_a_copy"},
          .status = 201,
          .creates = Creates::task,
      }),
      op<&service::create_tasks>({
          .name = "create_tasks", .method = post, .path = "/tasks[]",
          .effect = write, .surfaces = internal, .access = Access::run,
          .summary = "Create several tasks, all or none.",
          .status = 201,
          .bound = kArrayBound,
          .creates = Creates::tasks,
      }),
      op<&service::copy_task>({
          .name = "copy_task", .method = post, .path = "/tasks/{id}/copy",
          .effect = write, .surfaces = all, .access = Access::person,
          .summary = "Create a task that asks for what another one asks for.",
          .command = {.words = "copy", .positional = "id", .says = "Copied to task #{id}: {title}"},
          .tool = {.says = "Creates a copy of a task, with its brief and attributes, without its history."},
          .status = 201,
          .creates = Creates::task,
      }),
      op<&service::merge_tasks>({
          .name = "merge_tasks", .method = post, .path = "/tasks/{id}/merge",
          .effect = write, .surfaces = all, .access = Access::person,
          .summary = "Archive a copy and give the other task what hangs on it.",
          .command = {.words = "merge", .positional = "id", .says = "Merged into task #{id}: {title}"},
          .tool = {.says = "Archives a copy of a task and gives the other task what hangs on it."},
      }),
      op<&service::list_copies>({
          .name = "list_copies", .method = get, .path = "/copies",
          .effect = read, .surfaces = all, .access = Access::person,
          .summary = "List the open tasks that look like copies of others.",
          .command = {.words = "copies"},
      }),
      op<&service::dismiss_copy>({
          .name = "dismiss_copy", .method = post, .path = "/tasks/{id}/copies/dismiss",
          .effect = write, .surfaces = all, .access = Access::person,
          .summary = "Say that two tasks are no copies of each other.",
          .command = {.words = "copies dismiss", .positional = "id other", .says = "They are two pieces of work."},
      }),
      op<&service::import_tasks>({
          .name = "import_tasks", .method = post, .path = "/import",
          .effect = write, .surfaces = http, .access = Access::person,
          .summary = "Take over tasks from another program, all or none.",
          .status = 201,
          .is_large = true,
          .bound = kArrayBound,
      }),
      op<&service::get_task>({
          .name = "get_task", .method = get, .path = "/tasks/{id}",
          .effect = read, .surfaces = all, .access = Access::run,
          .summary = "Show one task.",
          .command = {.words = "show", .positional = "id?"},
          .tool = {.says = "Shows one task with its brief, results and what it waits for.",
                   .of_run = "id"},
      }),
      op<&service::edit_task>({
          .name = "update_task", .method = patch, .path = "/tasks/{id}",
          .effect = write, .surfaces = all, .access = Access::run,
          .summary = "Change a task.",
          .command = {
              .words = "edit", .positional = "id", .says = "Updated task #{id}: {title}",
              .but = "take heed_claims",
              .flags = with_clearing_flags({
                  {.name = "add-tag", .field = "add_tags"},
                  {.name = "remove-tag", .field = "remove_tags"},
                  {.name = "add-dep", .field = "add_deps", .help = "Tasks that must be done first, to add"},
                  {.name = "remove-dep", .field = "remove_deps",
                   .help = "Tasks that need not be done first any more"},
                  {.name = "body", .kind = text},
                  {.name = "description", .field = "body", .kind = text},
                  {.name = "brief", .field = "body", .kind = file, .help = "File with the new brief"},
                  {.name = "append-body", .letter = 'a', .kind = text},
                  {.name = "timestamp", .letter = 't', .kind = handled, .takes = nothing,
                   .help = "Put the time before the added text"},
                  {.name = "worker", .field = "assignee", .help = "Worker or person"},
                  kNextFlag,
                  {.name = "check", .field = "checks",
                   .help = "Verification commands of the board that must pass"},
                  {.name = "due", .help = "Due date (YYYY-MM-DD)"},
                  {.name = "clear-due", .field = "due", .kind = clears, .help = "No due date"},
                  {.name = "parent", .help = "Task it is part of"},
                  {.name = "clear-parent", .field = "parent", .kind = clears, .help = "No parent"},
                  {.name = "not-before", .help = "Not picked before this time"},
                  {.name = "clear-not-before", .field = "not_before", .kind = clears,
                   .help = "It may be picked at once"},
                  {.name = "clear-assignee", .field = "assignee", .kind = blanks, .help = "Nobody's"},
                  {.name = "started", .kind = handled, .help = "Day work on it began (YYYY-MM-DD)"},
                  {.name = "clear-started", .field = "started", .kind = clears, .help = "Work has not begun"},
                  {.name = "completed", .kind = handled, .help = "Day it was finished (YYYY-MM-DD)"},
                  {.name = "clear-completed", .field = "completed", .kind = clears,
                   .help = "It is not finished"},
                  {.name = "claim", .help = "Name that holds it, or is to hold it"},
              }),
          },
          .tool = {.says = "Changes fields of a task.",
                   .of_run = "id title body append_body priority add_tags touches next_tasks",
                   .but = "started completed"},
      }),
      op<&service::delete_task>({
          .name = "delete_task", .method = del, .path = "/tasks/{id}",
          .effect = destroy, .surfaces = cli_and_http, .access = Access::person,
          .summary = "Delete a task: it leaves the board and stays readable.",
          .command = {.words = "delete", .positional = "id", .says = "Deleted task #{id}: {title}"},
          .confirms = Confirms::always,
      }),
      op<&service::move_task>({
          .name = "move_task", .method = post, .path = "/tasks/{id}/move",
          .effect = write, .surfaces = all, .access = Access::run,
          .summary = "Move a task to another column, or within one.",
          .command = {
              .words = "move", .positional = "id status?", .says = "Moved task #{id} -> {status}",
              .flags = {
                  {.name = "next", .kind = handled, .takes = nothing, .help = "To the next column"},
                  {.name = "prev", .kind = handled, .takes = nothing, .help = "To the column before"},
              },
          },
          .tool = {.says = "Moves a task to another column.",
                   .of_run = "id status"},
      }),
      op<&service::archive_task>({
          .name = "archive_task", .method = post, .path = "/tasks/{id}/archive",
          .effect = write, .surfaces = all, .access = Access::person,
          .summary = "Put a task away.",
          .command = {.words = "archive", .positional = "id", .says = "Archived task #{id}: {title}"},
      }),
      op<&service::revert_task>({
          .name = "revert_task", .method = post, .path = "/tasks/{id}/revert",
          .effect = write, .surfaces = cli_and_http, .access = Access::person,
          .summary = "Take the landed work of a task back by a new commit; the task is open again.",
          .command = {
              .words = "revert", .positional = "id",
              .says = "Task #{id} waits to be taken back: {title}",
              .flags = {
                  {.name = "reason", .kind = text},
              },
          },
      }),
      op<&service::pick_task>({
          .name = "pick_task", .method = post, .path = "/pick",
          .effect = write, .stores = Stored::report, .surfaces = all, .access = Access::run,
          .summary = "Claim the best task the caller may start.",
          .command = {
              .words = "pick", .says = "Picked task #{id}: {title}",
              .flags = {
                  {.name = "claim", .field = "by", .help = "Name to claim for"},
                  {.name = "tag", .field = "tags"},
                  {.name = "no-body", .kind = handled, .takes = nothing,
                   .help = "Leave the brief out of the answer"},
              },
          },
          .tool = {.says = "Claims the best task that the caller may start, and answers it. Call it when you have no work.",
                   .of_run = "-",
                   .but = "limit worker"},
          .may_find_nothing = true,
      }),
      op<&service::pick_tasks>({
          .name = "pick_tasks", .method = post, .path = "/pick[]",
          .effect = write, .stores = Stored::report, .surfaces = internal, .access = Access::run,
          .summary = "Claim several tasks at once.",
          .bound = kArrayBound,
      }),
      op<&service::claim_task>({
          .name = "claim_task", .method = post, .path = "/tasks/{id}/claim",
          .effect = write, .stores = Stored::report, .surfaces = all, .access = Access::run,
          .summary = "Claim a task, or renew a claim.",
          .command = {.words = "claim", .positional = "id?", .says = "Claimed task #{id} for {claimed_by}"},
          .tool = {.says = "Claims a task, or renews the claim. A claim ends by itself after a while: call heartbeat in between."},
          .board_key = {.key = "C"},
      }),
      op<&service::release_task>({
          .name = "release_task", .method = post, .path = "/tasks/{id}/release",
          .effect = write, .stores = Stored::report, .surfaces = all, .access = Access::run,
          .summary = "End a claim.",
          .command = {.words = "release", .positional = "id?", .says = "Released task #{id}: {title}"},
          .tool = {.says = "Ends a claim without a result, so that somebody else may take the task."},
          .board_key = {.key = "R"},
      }),
      op<&service::start_task>({
          .name = "start_task", .method = post, .path = "/tasks/{id}/start",
          .effect = write, .stores = Stored::report, .surfaces = cli_and_http, .access = Access::run,
          .summary = "Start a task one holds.",
          .command = {.words = "start", .positional = "id?", .says = "Started task #{id}: {title}"},
      }),
      op<&service::heartbeat>({
          .name = "heartbeat", .method = post, .path = "/tasks/{id}/heartbeat",
          .effect = write, .stores = Stored::report, .surfaces = all, .access = Access::run,
          .summary = "Extend a claim; the answer tells what its holder must know.",
          .command = {.words = "heartbeat", .positional = "id?", .says = "Claim lives until {claim_expires}"},
          .tool = {.says = "Says that work goes on. Its answer says when to stop.",
                   .of_run = "-"},
          .fence = Fence::renewal,
          .urgency = store::Urgency::urgent,
      }),
      op<&service::note_task>({
          .name = "add_note", .method = post, .path = "/tasks/{id}/note",
          .effect = write, .surfaces = all, .access = Access::run,
          .summary = "Add a note to a task's history.",
          .command = {
              .words = "note", .positional = "id? text", .says = "Noted on task #{id}: {title}",
              .flags = {
                  {.name = "text", .kind = text, .help = "The note"},
              },
          },
          .tool = {.says = "Adds a note to the history of a task: a decision, what was found, how far you are.",
                   .of_run = "id text"},
          .board_key = {.key = "N", .asks = "text"},
      }),
      op<&service::submit_task>({
          .name = "submit_task", .method = post, .path = "/tasks/{id}/submit",
          .effect = write, .stores = Stored::report, .surfaces = all, .access = Access::run,
          .summary = "Hand finished work to review.",
          .command = {.words = "submit", .positional = "id?", .says = "Submitted task #{id}: {title}",
                      .flags = {kResultFlag, kNoChangeFlag, kPickFlag}},
          .tool = {.says = "Hands finished work to review.",
                   .of_run = "id result"},
      }),
      op<&service::complete_task>({
          .name = "complete_task", .method = post, .path = "/tasks/{id}/complete",
          .effect = write, .stores = Stored::report, .surfaces = all, .access = Access::run,
          .summary = "Finish a task; it goes to review where the board wants that.",
          .command = {.words = "done", .positional = "id?", .says = "Task #{id} is {stage}: {title}",
                      .flags = {kResultFlag, kNoChangeFlag, kPickFlag}},
          .tool = {.says = "Reports that the task is done, with what was done. Call it once, then end.",
                   .of_run = "result no_change"},
      }),
      op<&service::fail_task>({
          .name = "fail_task", .method = post, .path = "/tasks/{id}/fail",
          .effect = write, .stores = Stored::report, .surfaces = all, .access = Access::run,
          .summary = "Report a failed attempt.",
          .command = {.words = "fail", .positional = "id?",
                      .says = "Task #{id} is {stage} after attempt {attempt}: {title}",
                      .flags = {{.name = "reason", .kind = text}}},
          .tool = {.says = "Reports that this attempt failed, with the reason. Call it once, then end.",
                   .of_run = "reason"},
      }),
      op<&service::handoff_task>({
          .name = "handoff_task", .method = post, .path = "/tasks/{id}/handoff",
          .effect = write, .stores = Stored::report, .surfaces = all, .access = Access::run,
          .summary = "Hand a task to review or to another worker.",
          .command = {
              .words = "handoff", .positional = "id?", .says = "Handed off task #{id}: {title}",
              .but = "append_body to_review take",
              .flags = {
                  {.name = "note", .kind = text},
                  {.name = "timestamp", .letter = 't', .kind = handled, .takes = nothing,
                   .help = "Put the time before the note"},
                  {.name = "worker", .field = "to"},
                  {.name = "block", .kind = text, .help = "Mark it as blocked as well, with the reason"},
              },
          },
          .tool = {.says = "Hands the task to review or to another worker, with what the next one must know. Then end.",
                   .of_run = "note to",
                   .but = "take release to_review"},
      }),
      op<&service::block_task>({
          .name = "block_task", .method = post, .path = "/tasks/{id}/block",
          .effect = write, .stores = Stored::report, .surfaces = all, .access = Access::run,
          .summary = "Mark a task as blocked.",
          .command = {
              .words = "block", .positional = "id? reason", .says = "Blocked task #{id}: {title}",
              .flags = {
                  {.name = "reason", .kind = text},
                  {.name = "choice", .field = "choices", .takes = value,
                   .help = "An answer to choose from; may be given several times"},
              },
          },
          .tool = {.says = "Stops work on the task until a person answers a question or removes an obstacle. Then end.",
                   .of_run = "reason choices"},
          .board_key = {.key = "b", .asks = "reason"},
      }),
      op<&service::ask_permission>({
          .name = "ask_permission", .method = post, .path = "/tasks/{id}/ask",
          .effect = write, .surfaces = http, .access = Access::run,
          .summary = "Ask a person for a permission; the run goes on and waits for the answer.",
      }),
      op<&service::unblock_task>({
          .name = "unblock_task", .method = post, .path = "/tasks/{id}/unblock",
          .effect = write, .surfaces = cli_and_http, .access = Access::person,
          .summary = "Take the blocked mark away; the task goes back where it was.",
          .command = {.words = "unblock", .positional = "id", .says = "Unblocked task #{id}: {title}"},
          .board_key = {.key = "u"},
      }),
      op<&service::answer_task>({
          .name = "answer_task", .method = post, .path = "/tasks/{id}/answer",
          .effect = write, .surfaces = all, .access = Access::person,
          .summary = "Answer what a task asks; a blocked one goes back where it was.",
          .command = {.words = "answer", .positional = "id text", .says = "Answered task #{id}: {title}",
                      .flags = {{.name = "text", .kind = text}}},
          .tool = {.says = "Answers what a task asks. A blocked one goes back to where it was.",
                   .but = "question"},
          .board_key = {.key = "a", .asks = "text"},
      }),
      op<&service::accept_task>({
          .name = "accept_task", .method = post, .path = "/tasks/{id}/accept",
          .effect = write, .surfaces = cli_and_http, .access = Access::run,
          .summary = "Accept finished work.",
          .command = {.words = "accept", .positional = "id?", .says = "Accepted task #{id}: {title}"},
          .tool = {.says = "Accepts finished work that is in review, or a plan that waits for a verdict.",
                   .of_run = "id"},
          .board_key = {.key = "a"},
      }),
      op<&service::reject_task>({
          .name = "reject_task", .method = post, .path = "/tasks/{id}/reject",
          .effect = write, .surfaces = cli_and_http, .access = Access::run,
          .summary = "Send finished work back with a reason.",
          .command = {.words = "reject", .positional = "id?", .says = "Rejected task #{id}: {title}",
                      .flags = {{.name = "reason", .kind = text}}},
          .tool = {.says = "Sends finished work back, with what must be better.",
                   .of_run = "id reason"},
          .board_key = {.key = "x", .asks = "reason"},
      }),
      op<&service::write_plan>({
          .name = "write_plan", .method = put, .path = "/tasks/{id}/plan",
          .effect = write, .surfaces = all, .access = Access::run,
          .summary = "Write the plan of a task; it waits for a person who accepts it.",
          .command = {
              .words = "plan write", .positional = "id? text", .says = "The plan of task #{task} waits for a verdict",
              .flags = {
                  {.name = "text", .kind = text, .help = "The plan"},
                  {.name = "file", .field = "text", .kind = file, .help = "File with the plan"},
              },
          },
          .tool = {.says = "Writes the plan of the task: goal, steps, files to change, checks and risks. A person accepts it before the work begins.",
                   .of_run = "text"},
      }),
      op<&service::get_plan>({
          .name = "get_plan", .method = get, .path = "/tasks/{id}/plan",
          .effect = read, .surfaces = cli_and_http, .access = Access::run,
          .summary = "Show the plan of a task.",
          .command = {.words = "plan show", .positional = "id?"},
      }),
      op<&service::approve_task>({
          .name = "approve_task", .method = post, .path = "/tasks/{id}/approve",
          .effect = write, .surfaces = cli_and_http, .access = Access::person,
          .summary = "Approve a task for work.",
          .command = {.words = "approve", .positional = "id", .says = "Approved task #{id}: {title}"},
          .board_key = {.key = "a"},
      }),
      op<&service::retry_task>({
          .name = "retry_task", .method = post, .path = "/tasks/{id}/retry",
          .effect = write, .surfaces = cli_and_http, .access = Access::person,
          .summary = "Try a failed or waiting task again now.",
          .command = {.words = "retry", .positional = "id", .says = "Task #{id} is ready again: {title}"},
          .board_key = {.key = "t"},
      }),
      op<&service::kill_task>({
          .name = "kill_task", .method = post, .path = "/tasks/{id}/kill",
          .effect = destroy, .surfaces = cli_and_http, .access = Access::person,
          .summary = "Stop the work on a task; it goes back to the backlog.",
          .command = {.words = "kill", .positional = "id", .says = "Stopping task #{id}: {title}"},
          .board_key = {.key = "K"},
          .status = 202,
      }),
      op<&service::search_tasks>({
          .name = "search_tasks", .method = get, .path = "/search",
          .effect = read, .surfaces = all, .access = Access::run,
          .summary = "Search titles, bodies and notes.",
          .command = {.words = "search", .positional = "q"},
          .tool = {.says = "Searches titles, briefs and notes."},
          .takes_long = &always,
      }),
      op<&service::why_not_running>({
          .name = "why_not_running", .method = get, .path = "/tasks/{id}/why",
          .effect = read, .surfaces = all, .access = Access::run,
          .summary = "Say why no agent works on a task.",
          .command = {.words = "why", .positional = "id"},
          .tool = {.says = "Says why no agent works on a task, and what would help."},
      }),
      op<&service::why_tasks>({
          .name = "why_tasks", .method = get, .path = "/why",
          .effect = read, .surfaces = http, .access = Access::run,
          .summary = "Say for several tasks why no agent works on them.",
      }),
      op<&service::dependency_graph>({
          .name = "dependency_graph", .method = get, .path = "/dependencies",
          .effect = read, .surfaces = all, .access = Access::run,
          .summary = "Show which tasks wait for which, as a list, a tree, DOT or Mermaid.",
          .command = {.words = "deps", .positional = "id?"},
          .takes_long = &always,
      }),
      // clang-format on
  };
  return rows;
}

}  // namespace andon::api
