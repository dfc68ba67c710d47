#pragma once

#include <memory>
#include <string>

#include "store/engine/driver.hpp"
#include "store/sqlite/database/connection.hpp"

namespace andon::store::sqlite {

/// The session of the engine over one SQLite connection.
class SqliteSession final : public engine::Session {
 public:
  explicit SqliteSession(std::unique_ptr<Connection> db) : owned_(std::move(db)), db_(*owned_) {}
  Connection& connection() { return db_; }

  // The life of a transaction
  void begin(engine::Rights rights) override;
  void commit() override;
  void rollback() override;
  void set_mark() override;
  void undo_to_mark() override;
  void start_unit(engine::ReadLimit const& limit) override;
  engine::SessionState state() const override;

 private:
  std::unique_ptr<Connection> owned_;
  Connection& db_;
  bool has_mark_ = false;
};

}  // namespace andon::store::sqlite
