#pragma once

#include <memory>

#include "store/sql/session/sql_session.hpp"
#include "store/sqlite/database/connection.hpp"

namespace andon::store::sqlite {

/// The session of the engine over one SQLite connection. Its searches use the full-text index of SQLite,
/// which learns changed texts later.
class SqliteSession final : public sql::SqlSession {
 public:
  explicit SqliteSession(std::unique_ptr<Connection> db)
      : SqlSession(*db), owned_(std::move(db)), db_(*owned_) {}
  /// Over a connection of the caller.
  explicit SqliteSession(Connection& db) : SqlSession(db), db_(db) {}
  Connection& connection() { return db_; }

  engine::SearchRows search(engine::SearchRequest const& request) override;
  bool index_texts(std::int64_t least) override;

 private:
  void note_text_outdated(core::TaskId task) override;
  void note_text_new(engine::TaskChange const& change) override;
  void note_text_new(engine::AppendedEvent const& appended) override;

  std::unique_ptr<Connection> owned_;
  Connection& db_;
};

}  // namespace andon::store::sqlite
