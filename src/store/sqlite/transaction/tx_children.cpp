#include "store/sqlite/transaction/transaction.hpp"

// Counts of sub-tasks and open reviews. They are kept per task, so that no read walks a task's relatives.
namespace andon::store::sqlite {
namespace {

Query const kChildrenAdd{"children_add"};
Query const kRemoveLast{"children_remove_last"};
Query const kChildrenRemove{"children_remove"};
Query const kFinish{"children_finish"};
Query const kHang{"children_hang"};
Query const kProgress{"children_progress"};
Query const kLevels{"children_levels"};
Query const kReviewOpen{"review_open"};
Query const kReviewClose{"review_close"};
Query const kReviewOf{"review_of"};

int done(core::Task const& task) { return core::is_terminal(task.stage) ? 1 : 0; }

void take_from_parent(Connection& db, core::Task const& task) {
  if (!task.parent) return;
  db.run(kRemoveLast, *task.parent);
  db.run(kChildrenRemove, *task.parent, done(task));
}

void give_to_parent(Connection& db, core::Task const& task) {
  if (task.parent) db.run(kChildrenAdd, *task.parent, done(task));
}

void note_review(Connection& db, core::Task const& task) {
  if (task.state.reviews != 0 && !core::is_finished(task.stage))
    db.run(kReviewOpen, task.id, task.state.reviews);
  else
    db.run(kReviewClose, task.id);
}

}  // namespace

void Transaction::count_child(core::Task const& task, core::Task const* before) {
  bool const is_or_was_review = task.state.reviews != 0 || (before && before->state.reviews != 0);
  if (is_or_was_review) note_review(db_, task);
  if (before && before->parent == task.parent) {
    if (int const more = done(task) - done(*before); task.parent && more != 0)
      db_.run(kFinish, *task.parent, more);
    return;
  }
  if (before) take_from_parent(db_, *before);
  give_to_parent(db_, task);
  if (before || task.parent) db_.run(kHang, task.id, task.parent);
}

void Transaction::forget_child(core::Task const& task) {
  take_from_parent(db_, task);
  db_.run(kHang, task.id, nullptr);
  if (task.state.reviews != 0) db_.run(kReviewClose, task.id);
}

std::optional<core::Progress> Transaction::progress(core::TaskId parent) {
  auto row = db_.query(kProgress, parent);
  if (!row.step()) return std::nullopt;
  return core::Progress{row.integer(0), row.integer(1)};
}

int Transaction::levels_below(core::TaskId id, int most) {
  auto row = db_.query(kLevels, id, most);
  return row.step() ? static_cast<int>(row.integer(0)) : 0;
}

std::optional<core::TaskId> Transaction::open_review_of(core::TaskId id) {
  auto row = db_.query(kReviewOf, id);
  return row.step() ? std::optional{core::TaskId{row.integer(0)}} : std::nullopt;
}

}  // namespace andon::store::sqlite
