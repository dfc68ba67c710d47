#include "store/sqlite/document.hpp"
#include "store/sqlite/transaction.hpp"

namespace andon::store::sqlite {
namespace {

Query const kPut{"worker_put"};
Query const kRemove{"worker_remove"};
Query const kTasks{"tasks_of_assignee"};
Query const kDerive{"task_derive"};
constexpr int kPage = 500;

}  // namespace

core::Worker const* Transaction::worker(std::string_view name) { return catalogue_.worker(name); }

std::vector<core::Worker> Transaction::workers() {
  std::vector<core::Worker> out;
  for (auto const& [name, worker] : catalogue_.workers()) out.push_back(*worker);
  return out;
}

void Transaction::put(core::Worker const& worker) {
  before_write();
  bool const is_new = !is_worker(worker.name);
  db_.run(kPut, worker.name, document_of(worker));
  reshape();
  catalogue_.put(worker);
  if (is_new) derive_tasks_of(worker.name);
}

void Transaction::remove_worker(std::string_view name) {
  if (!is_worker(name)) return;
  before_write();
  std::string const gone{name};  // the name may live in the entry
  db_.run(kRemove, gone);
  reshape();
  catalogue_.remove_worker(gone);
  derive_tasks_of(gone);
}

/// Whether an assignee is a registered worker decides the lane of its tasks.
void Transaction::derive_tasks_of(std::string_view assignee) {
  for (core::TaskId last = 0;;) {
    std::vector<core::Task> tasks;
    for (auto row = db_.query(kTasks, assignee, last, kPage); row.step();) tasks.push_back(read(row));
    if (tasks.empty()) return;
    for (auto const& task : tasks) put_derived(task, board_named(task));
    last = tasks.back().id;
  }
}

void Transaction::put_derived(core::Task const& task, core::Board const& board) {
  auto const derived = derive(board, task, is_worker(task.assignee));
  db_.run(kDerive, task.id, core::to_text(task.stage), derived.available, derived.available_at,
          derived.holds_files, derived.column_rank, derived.lane, derived.class_rank, derived.pick_due,
          derived.priority_rank);
  queue_by_tags(task, &task);
}

}  // namespace andon::store::sqlite
