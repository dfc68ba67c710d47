#include "store/sqlite/session/sqlite_session.hpp"

namespace andon::store::sqlite {
namespace {

Query const kTextOutdated{"text_outdated"};
Query const kTextNew{"text_new"};

}  // namespace

void SqliteSession::note_text_outdated(core::TaskId task) { db_.run(kTextOutdated, task); }

void SqliteSession::note_text_new(engine::TaskChange const& change) {
  if (!change.before) db_.run(kTextNew, change.task->id);
}

void SqliteSession::note_text_new(engine::AppendedEvent const& appended) {
  db_.run(kTextNew, -appended.event.seq);
}

}  // namespace andon::store::sqlite
