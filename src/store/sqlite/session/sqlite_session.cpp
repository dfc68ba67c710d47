#include "store/sqlite/session/sqlite_session.hpp"

namespace andon::store::sqlite {
namespace {

Query const kTextOutdated{"text_outdated"};
Query const kTextNew{"text_new"};

}  // namespace

void SqliteSession::note_text_outdated(core::TaskId task) { db_.run(kTextOutdated, task); }

void SqliteSession::note_text_new(std::int64_t document) { db_.run(kTextNew, document); }

}  // namespace andon::store::sqlite
