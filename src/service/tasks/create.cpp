#include "service/tasks/create.hpp"

#include <algorithm>

#include "core/boards/wip.hpp"
#include "service/tasks/act.hpp"
#include "service/tasks/copy_check.hpp"
#include "service/tasks/kernel/claims.hpp"
#include "service/tasks/kernel/dependencies.hpp"
#include "service/tasks/kernel/kept_plan.hpp"
#include "service/tasks/kernel/task_rules.hpp"
#include "service/tasks/kernel/task_template.hpp"
#include "service/tasks/kernel/waiting.hpp"
#include "service/tasks/warnings.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

using core::Code;
using core::Result;
using core::Stage;

constexpr int kTasksPerRun = 20;
/// Seconds. A quota of a run does not come back while it lives.
constexpr std::int64_t kQuotaRetryAfter = 3600;
constexpr std::size_t kTasksPerRequest = 1'000;

/// A number that no task has may be the one that the new task would get. Its unit of work is given up either
/// way, so a trial tells.
std::unexpected<core::Error> refused_link(OperationContext& ctx, core::Error error) {
  auto const boards = ctx.tx.boards();
  if (error.code != Code::kDependencyNotFound || boards.empty()) return core::refuse(std::move(error));
  core::Task trial;
  trial.title = "trial";
  trial.board = boards.front()->name;
  trial.status = boards.front()->columns.front().name;
  trial.stage = boards.front()->columns.front().stage;
  auto const own = core::Detail{std::int64_t{ctx.tx.add(std::move(trial)).id}};
  if (std::ranges::find(error.details, std::pair{std::string{"id"}, own}) != error.details.end()) {
    error.code = Code::kSelfReference;
    error.message = "a task cannot refer to itself";
  }
  return core::refuse(std::move(error));
}

Result<core::Board const*> board_for(OperationContext& ctx, CreateTaskRequest const& r) {
  if (!r.board.empty() || !r.parent) return find_board(ctx, r.board);
  auto const id = check_parent(ctx, 0, *r.parent);
  if (!id) return refused_link(ctx, id.error());
  ANDON_TRY(auto const parent, find_task(ctx, *id));
  return board_of(ctx, parent);
}

Result<core::Column const*> column_for(OperationContext& ctx, core::Board const& board,
                                       CreateTaskRequest const& r) {
  ANDON_TRY(auto const* column, known_column(board, r.status.empty() ? board.default_status : r.status));
  bool const beyond_the_gate = !core::is_held_back(column->stage);
  if (beyond_the_gate && !may_approve(ctx, board))
    return core::refuse(
        Code::kApprovalRequired,
        "a person must approve this task; leave out the status and it waits in " + board.default_status,
        "status");
  if (beyond_the_gate && is_run(ctx) && !core::is_ready(column->stage))
    return core::refuse(Code::kApprovalRequired, "a run may place its new tasks in ready at most", "status");
  return column;
}

std::unexpected<core::Error> over_quota(std::string message, std::string limit, std::int64_t most) {
  return core::refuse(core::Error{Code::kRateLimited, std::move(message), {}, {}, {}}
                          .with("limit", std::move(limit))
                          .with("most", most)
                          .with("retry_after", kQuotaRetryAfter));
}

/// The depth of a task that a run creates: one more than that of its own task. The limit of the depth ends
/// chains of agents that create work for agents.
Result<int> depth_behind_run(OperationContext& ctx) {
  auto const own = ctx.tx.task(ctx.caller.run->task);
  auto const depth = own ? own->state.depth + 1 : 1;
  if (depth <= kDeepestChain) return depth;
  return over_quota("task #" + std::to_string(ctx.caller.run->task) +
                        " is the fifth in a chain of tasks made by tasks; a person must create what follows",
                    "chain_depth", kDeepestChain);
}

/// A run may create 20 tasks in all; people have no quota.
Result<void> count_against_run(OperationContext& ctx, core::Task& task) {
  if (!is_run(ctx)) return {};
  auto run = ctx.tx.run(ctx.caller.run->run);
  if (!run) return core::refuse(Code::kRunNotFound, "the run is gone");
  if (run->created_tasks >= kTasksPerRun)
    return over_quota("a run may create at most 20 tasks", "tasks_of_a_run", kTasksPerRun);
  ANDON_TRY(task.state.depth, depth_behind_run(ctx));
  ++run->created_tasks;
  ctx.tx.put(*run);
  return {};
}

Result<void> fill_texts(core::Board const& board, CreateTaskRequest const& r, core::Task& task) {
  ANDON_TRY(task.title, check_title(r.title));
  ANDON_CHECK(check_body(r.body));
  task.body = r.body;
  auto const& priority = r.priority && !r.priority->text.empty() ? r.priority->text : board.default_priority;
  ANDON_TRY(task.priority, known_priority(board, priority));
  task.class_ = board.default_class;
  if (!r.class_.empty()) ANDON_SET(task.class_, known_class(board, r.class_));
  ANDON_TRY(task.tags, check_words(r.tags, "tags", 50));
  ANDON_TRY(task.touches, check_words(r.touches, "touches", 50));
  ANDON_CHECK(check_chain(board, r.next_tasks));
  ANDON_CHECK(check_check_names(board, r.checks));
  ANDON_SET(task.assignee, check_line(r.assignee, "assignee"));
  ANDON_SET(task.role, check_role(r.role));
  for (auto const& each : core::kPlainFields)
    ANDON_SET(task.*each.text, check_line(r.*each.text, each.name, each.most_bytes));
  task.due = r.due;
  task.next_tasks = r.next_tasks;
  task.checks = r.checks;
  task.review = r.review;
  task.not_before = r.not_before;
  task.autocomplete = r.autocomplete;
  if (!r.max_attempts) return {};
  if (*r.max_attempts < 1 || *r.max_attempts > 100)
    return core::refuse(Code::kInvalidInput, "\"max_attempts\" must be from 1 to 100", "max_attempts");
  task.max_attempts = *r.max_attempts;
  return {};
}

Result<void> fill_links(OperationContext& ctx, CreateTaskRequest const& r, core::Task& task) {
  if (r.parent) ANDON_SET(task.parent, check_parent(ctx, 0, *r.parent));
  ANDON_TRY(task.depends_on, check_dependencies(ctx, 0, r.depends_on));
  task.state.open_deps = count_open_dependencies(ctx, task);
  return {};
}

/// A new task with a claim, as if it was moved there under that name.
Result<core::Task> claimed(OperationContext& ctx, core::Board const& board, core::Task task,
                           std::string const& name) {
  if (is_run(ctx)) return core::refuse(Code::kForbidden, "a run cannot claim what it creates", "claim");
  if (core::is_archived(task.stage)) return task;
  Change change{std::move(task), board};
  change.before = {};
  ANDON_CHECK(take_claim(ctx, change, name, open_dependencies_for(ctx, name)));
  return std::move(change.after);
}

/// A task that was checked and is not stored yet.
struct CheckedTask {
  core::Board const* board;
  core::Task task;
};

Result<CheckedTask> checked_task(OperationContext& ctx, CreateTaskRequest const& r) {
  ANDON_TRY(auto const* place, board_for(ctx, r));
  auto const& board = *place;
  if (board.archived)
    return core::refuse(Code::kStatusConflict, "board \"" + board.name + "\" is archived", "board");
  ANDON_TRY(auto const* column, column_for(ctx, board, r));
  core::Task task;
  task.board = board.name;
  task.source = to_text(ctx.caller.source);
  ANDON_CHECK(fill_texts(board, r, task));
  if (r.plan) ANDON_CHECK(check_may_ask_for_plan(ctx));
  task.plan = r.plan.value_or(core::PlanRule::none);
  if (auto const filled = fill_links(ctx, r, task); !filled) return refused_link(ctx, filled.error());
  task.approved = !core::is_backlog(column->stage) && may_approve(ctx, board);
  auto const* backlog = core::backlog_column(board);
  if (core::is_ready(column->stage) && backlog && must_wait(ctx, board, task)) column = backlog;
  put_into(task, *column, ctx.now);
  return CheckedTask{&board, std::move(task)};
}

Result<core::Task> store_checked(OperationContext& ctx, CheckedTask given, CreateTaskRequest const& r,
                                 ImportedTimestamps const& past) {
  auto const& board = *given.board;
  auto& task = given.task;
  auto const* column = core::find_place(board, task.status);
  ANDON_CHECK(core::check_wip(board, ctx.tx.load(board.id), *column, task, nullptr));
  if (!r.claim.empty()) ANDON_SET(task, claimed(ctx, board, std::move(task), r.claim));
  ANDON_CHECK(count_against_run(ctx, task));
  if (!past.blocked.empty()) ANDON_CHECK(check_words({past.blocked}, "blocked", 1));
  return with_warnings(ctx, nullptr, add_task(ctx, std::move(task), past));
}

}  // namespace

Result<core::Task> create_task(OperationContext& ctx, CreateTaskRequest const& r) {
  ANDON_TRY(auto checked, checked_task(ctx, r));
  ANDON_TRY(auto const others, not_copied(ctx, r.not_a_copy));
  auto const standing = find_standing_task(ctx, {checked.board->id, checked.task, others});
  if (standing && is_kept_from_copies(ctx)) return answer_to_copy(ctx, *standing);
  ANDON_TRY(auto task, store_checked(ctx, std::move(checked), r, {}));
  return standing ? with_suspicion(ctx, std::move(task), *standing) : std::move(task);
}

Result<core::Task> create_past_task(OperationContext& ctx, CreateTaskRequest const& r,
                                    ImportedTimestamps const& past) {
  ANDON_TRY(auto checked, checked_task(ctx, r));
  return store_checked(ctx, std::move(checked), r, past);
}

Result<TaskItems> create_tasks(OperationContext& ctx, CreateTasksRequest const& request) {
  if (request.items.empty() || request.items.size() > kTasksPerRequest)
    return core::refuse(Code::kInvalidInput, "between 1 and 1,000 tasks can be created at once", "items");
  TaskItems out;
  for (std::size_t i = 0; i < request.items.size(); ++i) {
    auto created = create_task(ctx, request.items[i]);
    if (!created) {
      auto error = std::move(created).error();
      error.field = "items/" + std::to_string(i) + (error.field.empty() ? "" : "/" + error.field);
      return core::refuse(std::move(error));
    }
    out.items.push_back(*std::move(created));
  }
  ctx.made_nothing = false;
  return out;
}

}  // namespace andon::service
