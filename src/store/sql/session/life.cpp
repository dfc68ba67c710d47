#include <utility>

#include "store/sql/session/sql_session.hpp"

namespace andon::store::sql {
namespace {

Query const kBeginWrite{"begin_write"};
Query const kBeginRead{"begin_read"};
Query const kCommit{"commit"};
Query const kRollbackAll{"rollback"};
Query const kSetMark{"unit_start"};
Query const kDropMark{"unit_release"};
Query const kUndoToMark{"unit_undo"};

}  // namespace

void SqlSession::begin(engine::Rights rights) {
  has_mark_ = false;
  db_.run(rights == engine::Rights::write ? kBeginWrite : kBeginRead);
}

void SqlSession::commit() {
  has_mark_ = false;
  db_.run(kCommit);
}

void SqlSession::rollback() {
  has_mark_ = false;
  if (db_.in_transaction()) db_.run(kRollbackAll);
}

void SqlSession::set_mark() {
  if (std::exchange(has_mark_, true)) db_.run(kDropMark);
  db_.run(kSetMark);
}

void SqlSession::undo_to_mark() {
  has_mark_ = false;
  if (!db_.in_transaction()) return;  // the database gave up the whole transaction
  db_.run(kUndoToMark);
  db_.run(kDropMark);
}

void SqlSession::start_unit(engine::ReadLimit const& limit) {
  db_.forgive();
  if (limit.most)
    db_.give_up_after(*limit.most, limit.abandoned);
  else
    db_.give_up_never();
}

engine::SessionState SqlSession::state() const {
  return {db_.in_transaction(), db_.has_failed(), db_.is_unsound(), db_.rows_written(), db_.steps()};
}

}  // namespace andon::store::sql
