#pragma once

#include <memory>

#include "store/postgres/session/batch_record.hpp"
#include "store/postgres/session/sql_connection.hpp"
#include "store/sql/session/sql_session.hpp"

namespace andon::store::postgres {

/// The session of the engine over one connection to PostgreSQL. A transaction that writes holds the lock of
/// the store, so that one server at a time writes (decision 0035). A lost connection is opened again at the
/// next transaction.
class PostgresSession final : public sql::SqlSession {
 public:
  /// The record is that of the session that writes, and null for others. It is not owned.
  PostgresSession(std::unique_ptr<SqlConnection> db, BatchRecord* record)
      : SqlSession(*db), owned_(std::move(db)), db_(*owned_), record_(record) {}

  /// Waits some seconds for a database that cannot be reached.
  void begin(engine::Rights rights) override;
  /// When the connection is lost meanwhile, finds out on a new one whether the changes were kept.
  void commit() override;
  void rollback() override;
  void set_mark() override;
  void undo_to_mark() override;
  engine::SessionState state() const override;

  std::vector<engine::TaskRow> tasks(engine::TasksQuery const& query) override;
  std::vector<engine::Links> links(engine::LinksQuery const& query) override;
  /// Waits for the answers, so that a refused write is known with the unit that it is about.
  void write(engine::Writes const& writes) override;
  engine::SearchRows search(engine::SearchRequest const& request) override;
  bool index_texts(std::int64_t) override { return false; }

 private:
  void note_text_outdated(core::TaskId task) override;
  void note_text_new(engine::TaskChange const& change) override;
  void note_text_new(engine::AppendedEvent const& appended) override;
  void open(engine::Rights rights);
  void take_turn();
  void end_turn(std::int64_t batch);
  bool was_kept(std::int64_t batch);
  std::int64_t last_batch();

  std::unique_ptr<SqlConnection> owned_;
  SqlConnection& db_;
  BatchRecord* record_;
  bool is_in_transaction_ = false;
  bool writes_ = false;
  bool has_mark_ = false;
  std::int64_t turn_ = 0;             ///< of the store, at the end of the last transaction that wrote
  int connections_ = 0;               ///< of `db_`, at the last transaction
  bool has_foreign_changes_ = false;  ///< others have written since then, or changes were lost
};

}  // namespace andon::store::postgres
