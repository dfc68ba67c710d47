#include "service/tasks.hpp"

#include <algorithm>

#include "service/follow_ups.hpp"
#include "service/stop.hpp"

namespace andon::service {
namespace {

using core::Code;
using core::EventKind;
using core::Result;
using core::Stage;

constexpr int kLongestPage = 500;

struct OrderRow {
  std::string_view name;
  store::TaskOrder order;
};
constexpr std::array kOrders{
    OrderRow{"id", store::TaskOrder::id},           OrderRow{"title", store::TaskOrder::title},
    OrderRow{"status", store::TaskOrder::status},   OrderRow{"priority", store::TaskOrder::priority},
    OrderRow{"created", store::TaskOrder::created}, OrderRow{"updated", store::TaskOrder::updated},
    OrderRow{"due", store::TaskOrder::due},         OrderRow{"pick", store::TaskOrder::pick}};

Result<int> page_limit(std::optional<int> asked) {
  auto const limit = asked.value_or(kLongestPage);
  if (limit < 1 || limit > kLongestPage)
    return core::refuse(Code::kInvalidInput, "\"limit\" must be from 1 to " + std::to_string(kLongestPage),
                        "limit");
  return limit;
}

Result<store::TaskFilter> filter_of(Unit& u, ListTasksRequest const& r) {
  store::TaskFilter filter;
  filter.now = u.now;
  if (!r.board.empty() || is_run(u)) {
    ANDON_TRY(auto const* board, find_board(u, r.board));
    filter.board = board->id;
    for (auto const& status : r.status) {
      auto const* column = core::find_column(*board, status);
      filter.statuses.push_back(column ? column->name : status);
    }
  } else {
    filter.statuses = r.status;
  }
  filter.stages = r.stage;
  filter.priorities = r.priority;
  filter.assignee = r.assignee;
  filter.role = r.role;
  filter.tag = r.tag;
  filter.class_ = r.class_;
  filter.claimed_by = r.claimed_by;
  filter.text = r.q;
  if (r.parent) ANDON_SET(filter.parent, resolve(u, *r.parent, "parent"));
  if (r.unclaimed) filter.claimed = false;
  filter.blocked = r.blocked;
  if (r.not_blocked) filter.blocked = false;
  if (r.unblocked) filter.open_deps = false;
  bool const names_archived = std::ranges::find(r.stage, Stage::archived) != r.stage.end() ||
                              std::ranges::find(r.status, "archived") != r.status.end();
  filter.archived = r.archived || names_archived;
  return filter;
}

Result<store::TaskPage> page_of(Unit& u, ListTasksRequest const& r) {
  ANDON_TRY(auto const filter, filter_of(u, r));
  ANDON_TRY(auto const limit, page_limit(r.limit));
  auto const order = std::ranges::find(kOrders, std::string_view{r.sort}, &OrderRow::name);
  if (order == kOrders.end())
    return core::refuse(Code::kInvalidInput,
                        "\"sort\" must be id, title, status, priority, created, updated, due or pick",
                        "sort");
  return u.tx.list(filter, {static_cast<std::size_t>(limit), r.cursor, order->order, r.reverse});
}

/// Ends a task's life on the board; both archive and delete keep it readable.
Result<core::Task> put_away(Unit& u, HeldTaskRequest const& r, std::string const& verb, EventKind kind) {
  ANDON_TRY(auto change, open_claimed(u, r.id, proof_of(r)));
  if (is_run(u)) return core::refuse(Code::kForbidden, "a run cannot " + verb + " tasks");
  if (change.before.stage == Stage::archived) return change.before;
  if (change.board.workflow == core::Workflow::strict && !r.force)
    ANDON_CHECK(core::check_transition(change.before.stage, Stage::archived));
  ANDON_TRY(auto const stopping, stop_first(u, change, {verb, {}, verb + "d", {}, {}}));
  if (stopping) return save(u, change, EventKind::task_edited, {{"stopping", verb}});
  core::end_claim(change.after);
  place(change, Stage::archived, u.now);
  return save(u, change, kind, {{"title", change.after.title}});
}

}  // namespace

Result<core::Task> get_task(Unit& u, TaskRequest const& r) {
  ANDON_TRY(auto task, find_task(u, r.id));
  task.body = u.tx.body(task.id).value_or("");
  task.children = progress_of(u, task.id);
  return task;
}

Result<TaskList> list_tasks(Unit& u, ListTasksRequest const& r) {
  ANDON_TRY(auto page, page_of(u, r));
  for (auto& task : page.tasks) task.children = progress_of(u, task.id);
  return TaskList{std::move(page.tasks), std::move(page.next)};
}

Result<CardList> list_cards(Unit& u, ListTasksRequest const& r) {
  ANDON_TRY(auto const page, page_of(u, r));
  CardList out;
  for (auto const& task : page.tasks) out.items.push_back(card_of(u, task));
  out.next = page.next;
  return out;
}

Result<core::Task> archive_task(Unit& u, HeldTaskRequest const& r) {
  return put_away(u, r, "archive", EventKind::task_archived);
}

Result<DeletedTask> delete_task(Unit& u, HeldTaskRequest const& r) {
  ANDON_TRY(auto const task, put_away(u, r, "delete", EventKind::task_deleted));
  return DeletedTask{task.id, "deleted", task.title};
}

}  // namespace andon::service
