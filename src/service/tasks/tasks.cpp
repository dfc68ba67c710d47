#include "service/tasks/tasks.hpp"

#include <algorithm>

#include "service/tasks/act.hpp"
#include "service/with_body.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

using core::Code;
using core::Result;
using core::Stage;

constexpr int kMostTasksOfPage = 500;
/// The most tasks that a page looks at before it ends.
constexpr std::size_t kMostPassedOver = 5'000;

struct TaskOrderRow {
  std::string_view name;
  store::TaskOrder order;
};
constexpr std::array kTaskOrders{
    TaskOrderRow{"id", store::TaskOrder::id},           TaskOrderRow{"title", store::TaskOrder::title},
    TaskOrderRow{"status", store::TaskOrder::status},   TaskOrderRow{"priority", store::TaskOrder::priority},
    TaskOrderRow{"created", store::TaskOrder::created}, TaskOrderRow{"updated", store::TaskOrder::updated},
    TaskOrderRow{"due", store::TaskOrder::due},         TaskOrderRow{"pick", store::TaskOrder::pick}};

Result<int> page_limit(std::optional<int> asked) {
  auto const limit = asked.value_or(kMostTasksOfPage);
  if (limit < 1 || limit > kMostTasksOfPage)
    return core::refuse(Code::kInvalidInput,
                        "\"limit\" must be from 1 to " + std::to_string(kMostTasksOfPage), "limit");
  return limit;
}

using BoardList = std::vector<core::Board const*>;

/// The board's spelling of a name, so that every spelling finds the same tasks. A name that no board has is
/// kept and finds nothing.
template <class Find>
std::vector<std::string> spelled(BoardList const& boards, std::vector<std::string> const& names, Find find) {
  std::vector<std::string> out;
  auto const add = [&](std::string name) {
    if (std::ranges::find(out, name) == out.end()) out.push_back(std::move(name));
  };
  for (auto const& name : names) {
    add(name);
    for (auto const* board : boards)
      if (std::optional<std::string> found = find(*board, name)) add(*std::move(found));
  }
  return out;
}

std::optional<std::string> status_in(core::Board const& board, std::string const& name) {
  auto const* column = core::find_column(board, name);
  if (!column) column = core::find_place(board, name);
  return column ? std::optional{column->name} : std::nullopt;
}
std::optional<std::string> priority_in(core::Board const& board, std::string const& name) {
  auto const index = core::priority_index(board, name);
  return index ? std::optional{board.priorities[*index]} : std::nullopt;
}

std::string class_in(BoardList const& boards, std::string const& name) {
  for (auto const* board : boards)
    if (auto const index = core::class_index(*board, name)) return board->classes[*index].name;
  return name;
}

Result<store::TaskFilter> filter_of(OperationContext& ctx, ListTasksRequest const& r) {
  store::TaskFilter filter;
  filter.now = ctx.now;
  BoardList boards;
  if (!r.board.empty() || is_run(ctx)) {
    ANDON_TRY(auto const* board, find_board(ctx, r.board));
    filter.board = board->id;
    boards.push_back(board);
  } else if (!r.status.empty() || !r.priority.empty() || !r.class_.empty()) {
    boards = ctx.tx.boards();
  }
  filter.statuses = spelled(boards, r.status, status_in);
  filter.stages = r.stage;
  filter.priorities = spelled(boards, r.priority, priority_in);
  filter.assignee = r.mine ? ctx.caller.actor.name : r.assignee;
  filter.role = r.role;
  filter.tag = r.tag;
  filter.class_ = class_in(boards, r.class_);
  filter.claimed_by = r.claimed_by;
  filter.text = r.q;
  if (r.parent) ANDON_SET(filter.parent, resolve(ctx, *r.parent, "parent"));
  if (r.unclaimed) filter.claimed = false;
  filter.blocked = r.blocked;
  if (r.not_blocked) filter.blocked = false;
  if (r.unblocked) filter.open_deps = false;
  bool const names_archived = std::ranges::find(r.stage, Stage::archived) != r.stage.end() ||
                              std::ranges::find(filter.statuses, "archived") != filter.statuses.end();
  filter.archived = r.archived || names_archived;
  return filter;
}

Result<store::TaskPage> page_of(OperationContext& ctx, ListTasksRequest const& r) {
  ANDON_TRY(auto const filter, filter_of(ctx, r));
  ANDON_TRY(auto const limit, page_limit(r.limit));
  if (r.not_blocked && r.blocked == true) return store::TaskPage{};
  auto const order = std::ranges::find(kTaskOrders, std::string_view{r.sort}, &TaskOrderRow::name);
  if (order == kTaskOrders.end())
    return core::refuse(Code::kInvalidInput,
                        "\"sort\" must be id, title, status, priority, created, updated, due or pick",
                        "sort");
  return ctx.tx.list(filter, {static_cast<std::size_t>(limit), r.cursor, order->order, r.reverse, r.bodies,
                              kMostPassedOver});
}

}  // namespace

Result<core::Task> get_task(OperationContext& ctx, TaskRequest const& r) {
  ANDON_TRY(auto task, find_task(ctx, r.id));
  task.body = ctx.tx.body(task.id).value_or("");
  task.children = ctx.tx.progress(task.id);
  return shown(ctx, std::move(task));
}

Result<TaskList> list_tasks(OperationContext& ctx, ListTasksRequest const& r) {
  ANDON_TRY(auto page, page_of(ctx, r));
  for (auto& task : page.tasks) {
    task.children = ctx.tx.progress(task.id);
    if (r.bodies) task.body = ctx.tx.body(task.id).value_or("");
    task = shown(ctx, std::move(task));
  }
  return TaskList{std::move(page.tasks), std::move(page.next)};
}

Result<CardList> list_cards(OperationContext& ctx, ListTasksRequest const& r) {
  ANDON_TRY(auto const page, page_of(ctx, r));
  CardList out;
  for (auto const& task : page.tasks) out.items.push_back(card_of(ctx, task));
  out.next = page.next;
  return out;
}

Result<core::Task> archive_task(OperationContext& ctx, HeldTaskRequest const& r) {
  return with_body(ctx, act(ctx, core::Verb::archive, r.id, proof_of(r), {.force = r.force}));
}

Result<DeletedTask> delete_task(OperationContext& ctx, HeldTaskRequest const& r) {
  ANDON_TRY(auto const task, act(ctx, core::Verb::remove, r.id, proof_of(r), {.force = r.force}));
  return DeletedTask{task.id, "deleted", task.title};
}

}  // namespace andon::service
