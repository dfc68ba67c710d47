#include <array>

#include "api/operation.hpp"
#include "service/boards/import.hpp"
#include "service/insight/dependency_graph.hpp"
#include "service/insight/search.hpp"
#include "service/insight/why.hpp"
#include "service/tasks/claim.hpp"
#include "service/tasks/create.hpp"
#include "service/tasks/edit.hpp"
#include "service/tasks/move.hpp"
#include "service/tasks/pick.hpp"
#include "service/tasks/stop.hpp"
#include "service/tasks/task_actions.hpp"
#include "service/tasks/tasks.hpp"

namespace andon::api {

using enum Method;
using enum Effect;
using enum Surfaces;

namespace {

/// True when a list must read tasks one by one, because no index holds what it filters by.
bool looks_at_texts(void const* request) {
  auto const& asked = *static_cast<service::ListTasksRequest const*>(request);
  return !asked.q.empty() || !asked.tag.empty();
}

}  // namespace

std::span<Operation const> task_operations() {
  static std::array const rows{
      // clang-format off
      slow_when<&looks_at_texts>(op<&service::list_tasks>("list_tasks", get, "/tasks", read, all, Access::run, "List tasks.", {"list", "", ""})),
      slow_when<&looks_at_texts>(op<&service::list_cards>("list_cards", get, "/tasks?view=card", read, internal, Access::person, "List tasks as the page draws them.")),
      creating(Creates::task, op<&service::create_task>("create_task", post, "/tasks", write, all, Access::run, "Create a task.", {"create", "title", "Created task #{id}: {title}"}, 201)),
      creating(Creates::tasks, array(op<&service::create_tasks>("create_tasks", post, "/tasks[]", write, internal, Access::run, "Create several tasks, all or none.", {}, 201))),
      array(large(op<&service::import_tasks>("import_tasks", post, "/import", write, http, Access::person, "Take over tasks from another program, all or none.", {}, 201))),
      op<&service::get_task>("get_task", get, "/tasks/{id}", read, all, Access::run, "Show one task.", {"show", "id?", ""}),
      op<&service::edit_task>("update_task", patch, "/tasks/{id}", write, all, Access::run, "Change a task.", {"edit", "id", "Updated task #{id}: {title}"}),
      confirmed(Confirms::always, op<&service::delete_task>("delete_task", del, "/tasks/{id}", destroy, cli_and_http, Access::person, "Delete a task: it leaves the board and stays readable.", {"delete", "id", "Deleted task #{id}: {title}"})),
      op<&service::move_task>("move_task", post, "/tasks/{id}/move", write, all, Access::run, "Move a task to another column, or within one.", {"move", "id status", "Moved task #{id} -> {status}"}),
      op<&service::archive_task>("archive_task", post, "/tasks/{id}/archive", write, all, Access::person, "Put a task away.", {"archive", "id", "Archived task #{id}: {title}"}),
      finding(op<&service::pick_task>("pick_task", post, "/pick", write, all, Access::run, "Claim the best task the caller may start.", {"pick", "", "Picked task #{id}: {title}"})),
      array(op<&service::pick_tasks>("pick_tasks", post, "/pick[]", write, internal, Access::run, "Claim several tasks at once.")),
      op<&service::claim_task>("claim_task", post, "/tasks/{id}/claim", write, all, Access::run, "Claim a task, or renew a claim.", {"claim", "id?", "Claimed task #{id} for {claimed_by}"}),
      op<&service::release_task>("release_task", post, "/tasks/{id}/release", write, all, Access::run, "End a claim.", {"release", "id?", "Released task #{id}: {title}"}),
      op<&service::start_task>("start_task", post, "/tasks/{id}/start", write, cli_and_http, Access::run, "Start a task one holds.", {"start", "id?", "Started task #{id}: {title}"}),
      urgent(fenced(Fence::renewal, op<&service::heartbeat>("heartbeat", post, "/tasks/{id}/heartbeat", write, all, Access::run, "Extend a claim; the answer tells what its holder must know.", {"heartbeat", "id?", "Claim lives until {claim_expires}"}))),
      op<&service::note_task>("add_note", post, "/tasks/{id}/note", write, all, Access::run, "Add a note to a task's history.", {"note", "id? text", "Noted on task #{id}: {title}"}),
      op<&service::submit_task>("submit_task", post, "/tasks/{id}/submit", write, all, Access::run, "Hand finished work to review.", {"submit", "id?", "Submitted task #{id}: {title}"}),
      op<&service::complete_task>("complete_task", post, "/tasks/{id}/complete", write, all, Access::run, "Finish a task; it goes to review where the board wants that.", {"done", "id?", "Task #{id} is {stage}: {title}"}),
      op<&service::fail_task>("fail_task", post, "/tasks/{id}/fail", write, all, Access::run, "Report a failed attempt.", {"fail", "id?", "Task #{id} is {stage} after attempt {attempt}: {title}"}),
      op<&service::handoff_task>("handoff_task", post, "/tasks/{id}/handoff", write, all, Access::run, "Hand a task to review or to another worker.", {"handoff", "id?", "Handed off task #{id}: {title}"}),
      op<&service::block_task>("block_task", post, "/tasks/{id}/block", write, all, Access::run, "Mark a task as blocked.", {"block", "id? reason", "Blocked task #{id}: {block_reason}"}),
      op<&service::unblock_task>("unblock_task", post, "/tasks/{id}/unblock", write, cli_and_http, Access::person, "Take the blocked mark away; the task goes back where it was.", {"unblock", "id", "Unblocked task #{id}: {title}"}),
      op<&service::answer_task>("answer_task", post, "/tasks/{id}/answer", write, all, Access::person, "Answer what a blocked task asks; it goes back where it was.", {"answer", "id text", "Answered task #{id}: {title}"}),
      op<&service::accept_task>("accept_task", post, "/tasks/{id}/accept", write, cli_and_http, Access::run, "Accept finished work.", {"accept", "id?", "Accepted task #{id}: {title}"}),
      op<&service::reject_task>("reject_task", post, "/tasks/{id}/reject", write, cli_and_http, Access::run, "Send finished work back with a reason.", {"reject", "id?", "Rejected task #{id}: {title}"}),
      op<&service::approve_task>("approve_task", post, "/tasks/{id}/approve", write, cli_and_http, Access::person, "Approve a task for work.", {"approve", "id", "Approved task #{id}: {title}"}),
      op<&service::retry_task>("retry_task", post, "/tasks/{id}/retry", write, cli_and_http, Access::person, "Try a failed or waiting task again now.", {"retry", "id", "Task #{id} is ready again: {title}"}),
      confirmed(Confirms::never, op<&service::kill_task>("kill_task", post, "/tasks/{id}/kill", destroy, cli_and_http, Access::person, "Stop the work on a task; it goes back to the backlog.", {"kill", "id", "Stopping task #{id}: {title}"}, 202)),
      slow(op<&service::search_tasks>("search_tasks", get, "/search", read, all, Access::run, "Search titles, bodies and notes.", {"search", "q", ""})),
      op<&service::why_not_running>("why_not_running", get, "/tasks/{id}/why", read, all, Access::run, "Say why no agent works on a task.", {"why", "id", ""}),
      op<&service::why_tasks>("why_tasks", get, "/why", read, http, Access::run, "Say for several tasks why no agent works on them."),
      slow(op<&service::dependency_graph>("dependency_graph", get, "/dependencies", read, all, Access::run, "Show which tasks wait for which, as a list, a tree, DOT or Mermaid.", {"deps", "id?", ""})),
      // clang-format on
  };
  return rows;
}

}  // namespace andon::api
