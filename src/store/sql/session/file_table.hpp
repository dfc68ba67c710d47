#pragma once

#include "store/engine/file_table.hpp"
#include "store/sql/database/connection.hpp"

namespace andon::store::sql {

/// The tables of files over one connection, which it does not own.
class SqlFileTable final : public engine::FileTable {
 public:
  explicit SqlFileTable(Connection& db) : db_(db) {}

  std::vector<engine::FileRow> files(engine::FilesQuery const& query) override;
  std::vector<engine::FileValue> values(core::BoardId board) override;
  std::optional<engine::FileNumberRow> number(engine::FileNumberQuery const& query) override;
  std::vector<core::TaskId> tasks_without_file(core::BoardId board) override;
  core::Epoch past_epoch(core::TaskId task) override;
  void write(engine::FileWrites const& writes) override;
  void reserve_room() override;

 private:
  Connection& db_;
};

}  // namespace andon::store::sql
