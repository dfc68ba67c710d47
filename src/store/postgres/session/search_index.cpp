#include "store/postgres/session/search_index.hpp"

#include "core/text/folded_words.hpp"
#include "store/postgres/session/postgres_session.hpp"
#include "store/postgres/session/search_pieces.hpp"

// The texts that searches find are written in the transaction that changes them.
namespace andon::store::postgres {
namespace {

using sql::Query;

Query const kTextRemove{"text_remove"};
Query const kTextPut{"text_put"};
Query const kNotePut{"text_put_note"};
Query const kBodyOfTask{"body_by_task"};
Query const kTextsRemove{"texts_remove"};
Query const kTextsOfTasks{"texts_of_tasks"};
Query const kTextsOfNotes{"texts_of_notes"};

/// The body that the task has now.
std::string body_of(sql::Connection& db, engine::TaskChange const& change) {
  if (change.with_body) return change.task->body;
  if (!change.before) return {};
  auto row = db.query(kBodyOfTask, change.task->id);
  return row.step() ? row.text(0) : std::string{};
}

void put_task(sql::Connection& db, core::TaskId id, std::string_view title, std::string_view body) {
  auto const words = core::folded_words(title);
  std::int64_t number = 0;
  for (auto const& piece : search_pieces(body))
    db.run(kTextPut, id, number++, piece.first, piece.length, words, piece.words);
}

void put_note(sql::Connection& db, std::int64_t event, std::string_view text) {
  std::int64_t number = 0;
  for (auto const& piece : search_pieces(text))
    db.run(kNotePut, -event, number++, piece.first, piece.length, piece.words);
}

}  // namespace

void PostgresSession::note_text_outdated(core::TaskId task) { db_.run(kTextRemove, task); }

void PostgresSession::note_text_new(engine::TaskChange const& change) {
  put_task(db_, change.task->id, change.task->title, body_of(db_, change));
}

void PostgresSession::note_text_new(engine::AppendedEvent const& appended) {
  put_note(db_, std::int64_t{appended.event.seq}, appended.note);
}

void rebuild_texts(SqlConnection& db) {
  db.run(kTextsRemove);
  std::int64_t after = 0;
  for (bool more = true; more;) {
    more = false;
    for (auto rows = db.query(kTextsOfTasks, after); rows.step(); more = true) {
      after = rows.integer(0);
      put_task(db, core::TaskId{rows.integer(0)}, rows.view(1), rows.view(2));
    }
  }
  after = 0;
  for (bool more = true; more;) {
    more = false;
    for (auto rows = db.query(kTextsOfNotes, after); rows.step(); more = true) {
      after = rows.integer(0);
      put_note(db, rows.integer(0), rows.view(1));
    }
  }
}

}  // namespace andon::store::postgres
