#include "store/sql/rows/task_row.hpp"

#include "store/sql/rows/details.hpp"

namespace andon::store::sql {
namespace {

std::optional<core::Date> date_in(Statement const& row, int column) {
  if (row.is_null(column)) return std::nullopt;
  return core::Date{std::chrono::sys_days{std::chrono::days{row.integer(column)}}};
}

void set_text(std::string& out, Statement const& row, int column) { out.assign(row.view(column)); }

}  // namespace

engine::TaskRow row_in(Statement const& row) {
  engine::TaskRow out;
  auto& task = out.task;
  task.id = core::TaskId{row.integer(0)};
  out.board = core::BoardId{row.integer(1)};
  set_text(task.status, row, 2);
  task.stage = core::parse_stage(row.view(3)).value_or(core::Stage::ready);
  task.rev = core::Revision{row.integer(4)};
  task.updated = row.instant(5);
  task.started = row.maybe_instant(6);
  task.completed = row.maybe_instant(7);
  task.state.entered = row.instant(8);
  task.blocked = row.integer(9) != 0;
  task.state.open_deps = row.integer(10);
  set_text(task.claimed_by, row, 11);
  task.claimed_at = row.maybe_instant(12);
  task.claim_expires = row.maybe_instant(13);
  task.epoch = core::Epoch{row.integer(14)};
  task.state.supervised = row.integer(15) != 0;
  task.attempt = static_cast<int>(row.integer(16));
  task.not_before = row.maybe_instant(17);
  task.run = row.maybe_id<core::RunId>(18);
  task.approved = row.integer(19) != 0;
  task.state.chained = row.integer(20) != 0;
  task.state.notes = row.integer(21);
  set_text(task.result, row, 22);
  set_text(task.title, row, 23);
  set_text(task.priority, row, 24);
  set_text(task.class_, row, 25);
  set_text(task.assignee, row, 26);
  set_text(task.role, row, 27);
  task.parent = row.maybe_id<core::TaskId>(28);
  task.due = date_in(row, 29);
  set_text(task.rank, row, 30);
  set_text(task.key, row, 31);
  task.created = row.instant(32);
  set_text(task.source, row, 33);
  set_text(task.created_by, row, 34);
  task.max_attempts = static_cast<int>(row.integer(35));
  task.state.stopping = row.integer(38) != 0;
  if (!row.is_null(36)) read_details(row.view(36), task);
  out.pickable_at = row.maybe_instant(37);
  set_text(out.queue_key, row, 39);
  return out;
}

std::vector<engine::TaskRow> rows_in(Statement rows) {
  std::vector<engine::TaskRow> out;
  while (rows.step()) out.push_back(row_in(rows));
  return out;
}

void bind_task(Statement& statement, core::Task const& task, core::BoardId board, Derived const& derived) {
  std::optional<std::string_view> result;
  if (!task.result.empty()) result = task.result;
  std::optional<std::int64_t> due;
  if (task.due) due = task.due->day.time_since_epoch().count();
  statement.bind_all(task.id, board, task.status, core::to_text(task.stage), task.rev, task.updated,
                     task.started, task.completed, task.state.entered, task.blocked, task.state.open_deps,
                     task.claimed_by, task.claimed_at, task.claim_expires, task.epoch, task.state.supervised,
                     task.attempt, task.not_before, task.run, task.approved, task.state.chained,
                     task.state.notes, result, derived.available, derived.available_at, derived.holds_files,
                     derived.column_rank, task.title, task.priority, task.class_, task.assignee, task.role,
                     task.parent, due, task.rank, task.key, task.created, task.source, task.created_by,
                     task.max_attempts, derived.queue_key, derived.class_rank, derived.pick_due,
                     derived.priority_rank, task.state.stopping);
}

void bind_details(Statement& statement, core::Task const& task) {
  constexpr int kDetails = 46;
  auto details = details_of(task);
  if (details.empty())
    statement.bind(kDetails, nullptr);
  else
    statement.bind(kDetails, std::move(details));
}

UpdateScope extent(core::Task const& before, core::Task const& after) {
  bool const same_card =
      before.board == after.board && before.title == after.title && before.priority == after.priority &&
      before.class_ == after.class_ && before.assignee == after.assignee && before.role == after.role &&
      before.parent == after.parent && before.due == after.due && before.rank == after.rank &&
      before.key == after.key && before.created == after.created && before.source == after.source &&
      before.created_by == after.created_by && before.max_attempts == after.max_attempts &&
      same_details(before, after);
  if (!same_card) return UpdateScope::whole;
  bool const same_place = before.status == after.status && before.stage == after.stage &&
                          before.started == after.started && before.completed == after.completed &&
                          before.blocked == after.blocked && before.claimed_by == after.claimed_by &&
                          before.claimed_at == after.claimed_at && before.epoch == after.epoch &&
                          before.attempt == after.attempt && before.not_before == after.not_before &&
                          before.run == after.run && before.approved == after.approved &&
                          before.result == after.result && before.state == after.state;
  if (!same_place) return UpdateScope::moving;
  bool const same_claim = before.claim_expires == after.claim_expires && before.updated == after.updated;
  return same_claim && before.rev == after.rev ? UpdateScope::nothing : UpdateScope::renewal;
}

}  // namespace andon::store::sql
