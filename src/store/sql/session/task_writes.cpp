#include "store/sql/rows/json_text.hpp"
#include "store/sql/rows/shared_queries.hpp"
#include "store/sql/rows/task_row.hpp"
#include "store/sql/session/sql_session.hpp"

// A change of a task and all that follows from it alone: body, tags, dependencies, queues of its tags, counts
// of sub-tasks, open reviews, and the marks that it is to be counted again and its text to be indexed.
namespace andon::store::sql {
namespace {

using core::Task;
using engine::TaskChange;

Query const kTaskAdd{"task_add"};
Query const kRenew{"task_renew"};
Query const kTaskMove{"task_move"};
Query const kTaskPut{"task_put"};
Query const kDerive{"task_derive"};
Query const kTaskRemove{"task_remove"};
Query const kSetArchived{"task_set_archived"};
Query const kUncounted{"task_uncounted"};
Query const kUncountedNew{"task_uncounted_new"};
Query const kBodyPut{"body_put"};
Query const kBodyRemove{"body_remove"};
Query const kSketchAdd{"sketch_add"};
Query const kSketchRemove{"sketch_remove"};
Query const kDependencyAdd{"dependency_add"};
Query const kDependenciesRemove{"dependencies_remove"};
Query const kTagsEnqueue{"tags_enqueue"};
Query const kTagsDequeue{"tags_dequeue"};
Query const kTagAdd{"task_tag_add"};
Query const kTagRemove{"task_tag_remove"};
Query const kRunsRemove{"runs_of_task_remove"};
Query const kChildrenAdd{"children_add"};
Query const kChildrenRemoveLast{"children_remove_last"};
Query const kChildrenRemove{"children_remove"};
Query const kChildrenFinish{"children_finish"};
Query const kChildrenHang{"children_hang"};
Query const kReviewOpen{"review_open"};
Query const kReviewClose{"review_close"};

int done(Task const& task) { return core::is_terminal(task.stage) ? 1 : 0; }

void take_from_parent(Connection& db, Task const& task) {
  if (!task.parent) return;
  db.run(kChildrenRemoveLast, *task.parent);
  db.run(kChildrenRemove, *task.parent, done(task));
}

void give_to_parent(Connection& db, Task const& task) {
  if (task.parent) db.run(kChildrenAdd, *task.parent, done(task));
}

void note_review(Connection& db, Task const& task, Task const* before) {
  if (task.state.reviews == 0 && (!before || before->state.reviews == 0)) return;
  if (task.state.reviews != 0 && !core::is_finished(task.stage))
    db.run(kReviewOpen, task.id, task.state.reviews);
  else
    db.run(kReviewClose, task.id);
}

/// Updates the counts of the parent, and the open reviews.
void count_child(Connection& db, Task const& task, Task const* before) {
  note_review(db, task, before);
  if (before && before->parent == task.parent) {
    if (int const more = done(task) - done(*before); task.parent && more != 0)
      db.run(kChildrenFinish, *task.parent, more);
    return;
  }
  if (before) take_from_parent(db, *before);
  give_to_parent(db, task);
  if (before || task.parent) db.run(kChildrenHang, task.id, task.parent);
}

/// A pickable task is in the queue of each of its tags. Call after the row was written.
void queue_by_tags(Connection& db, Task const& task, Task const* before) {
  if (before && !before->tags.empty()) db.run(kTagsDequeue, task.id);
  if (!task.tags.empty()) db.run(kTagsEnqueue, task.id);
}

void write_tags(Connection& db, Task const& task, Task const* before) {
  if (before && before->tags == task.tags) return;
  if (before)
    for (auto const& tag : before->tags) db.run(kTagRemove, tag, task.id);
  for (auto const& tag : task.tags) db.run(kTagAdd, tag, task.id);
}

void write_dependencies(Connection& db, Task const& task, Task const* before) {
  if (before && before->depends_on == task.depends_on) return;
  if (before) db.run(kDependenciesRemove, task.id);
  for (auto const id : task.depends_on) db.run(kDependencyAdd, task.id, id);
}

void write_body(Connection& db, Task const& task, bool is_new) {
  if (!task.body.empty())
    db.run(kBodyPut, task.id, task.body);
  else if (!is_new)
    db.run(kBodyRemove, task.id);
}

void write_sketch(Connection& db, TaskChange const& change) {
  if (change.before) db.run(kSketchRemove, change.task->id);
  db.run(kSketchAdd, change.board, change.task->id, number_list(*change.sketch));
}

void write_whole(Connection& db, Query const& query, TaskChange const& change) {
  auto statement = db.query(query);
  bind_task(statement, *change.task, change.board, *change.derived);
  bind_details(statement, *change.task);
  statement.step();
}

/// True when tallies and flow totals count both alike, apart from what makes a change a whole one.
bool is_counted_alike(Task const& a, Task const& b) {
  return a.status == b.status && a.stage == b.stage && a.blocked == b.blocked && a.started == b.started &&
         a.completed == b.completed && a.run == b.run;
}

void note_archived(Connection& db, Task const& task, Task const& before) {
  bool const is_archived = core::is_archived(task.stage);
  if (is_archived != core::is_archived(before.stage)) db.run(kSetArchived, task.id, is_archived);
}

void add_row(Connection& db, TaskChange const& change) {
  write_whole(db, kTaskAdd, change);
  db.run(kUncountedNew, change.task->id);
  write_dependencies(db, *change.task, nullptr);
  write_tags(db, *change.task, nullptr);
}

/// Writes as little as the change allows: a renewed claim and a move touch few indexes.
void update_row(Connection& db, TaskChange const& change) {
  auto const& task = *change.task;
  auto const& derived = *change.derived;
  switch (extent(*change.before, task)) {
    case UpdateScope::nothing: return;
    case UpdateScope::renewal:
      return db.run(kRenew, task.id, task.rev, task.updated, task.claim_expires, derived.available,
                    derived.available_at);
    case UpdateScope::moving: {
      if (!is_counted_alike(*change.before, task)) db.run(kUncounted, task.id);
      auto statement = db.query(kTaskMove);
      bind_task(statement, task, change.board, derived);
      statement.step();
      return note_archived(db, task, *change.before);
    }
    case UpdateScope::whole:
      db.run(kUncounted, task.id);
      write_whole(db, kTaskPut, change);
      note_archived(db, task, *change.before);
      write_dependencies(db, task, change.before);
      return write_tags(db, task, change.before);
  }
}

}  // namespace

void SqlSession::write(TaskChange const& change) {
  auto const& task = *change.task;
  bool const is_new = !change.before;
  bool const has_new_text = is_new || change.with_body || task.title != change.before->title;
  if (has_new_text && !is_new) note_text_outdated(task.id);
  if (is_new)
    add_row(db_, change);
  else
    update_row(db_, change);
  queue_by_tags(db_, task, change.before);
  count_child(db_, task, change.before);
  if (change.with_body) write_body(db_, task, is_new);
  if (change.sketch) write_sketch(db_, change);
  if (has_new_text) note_text_new(change);
}

void SqlSession::write_derived(TaskChange const& change) {
  auto const& task = *change.task;
  auto const& derived = *change.derived;
  if (task.stage != change.before->stage) db_.run(kUncounted, task.id);
  db_.run(kDerive, task.id, core::to_text(task.stage), derived.available, derived.available_at,
          derived.holds_files, derived.column_rank, derived.queue_key, derived.class_rank, derived.pick_due,
          derived.priority_rank);
  if (db_.changed_rows() > 0) queue_by_tags(db_, task, change.before);
  note_archived(db_, task, *change.before);
  count_child(db_, task, change.before);
}

void SqlSession::erase(Task const& task) {
  note_text_outdated(task.id);
  db_.run(kUncounted, task.id);
  for (auto const& query :
       {kBodyRemove, kSketchRemove, kDependenciesRemove, kTagsDequeue, kRunsRemove, kTaskRemove})
    db_.run(query, task.id);
  take_from_parent(db_, task);
  db_.run(kChildrenHang, task.id, nullptr);
  if (task.state.reviews != 0) db_.run(kReviewClose, task.id);
  for (auto const& tag : task.tags) db_.run(kTagRemove, tag, task.id);
}

}  // namespace andon::store::sql
