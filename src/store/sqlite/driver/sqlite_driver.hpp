#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>

#include "store/attachments/attachment_directory.hpp"
#include "store/engine/driver.hpp"
#include "store/sqlite/database/connection.hpp"
#include "store/sqlite/database/database_files.hpp"
#include "store/sqlite/database/owner_lock.hpp"
#include "store/sqlite/driver/log_file.hpp"

namespace andon::store::sqlite {

/// The processes that write to a database. Where there are many, any of them may replace its files.
enum class Writers { this_process, many };

/// One SQLite database in a file or in memory.
class SqliteDriver final : public engine::Driver {
 public:
  /// The connection of the session that writes; its schema is that of this binary. The lock, which may be
  /// null, is held while the driver lives.
  SqliteDriver(std::unique_ptr<Connection> writing, Writers writers, std::unique_ptr<OwnerLock> lock = {});
  /// For a database that is only read.
  explicit SqliteDriver(std::string path) : path_(std::move(path)) {}
  SqliteDriver(SqliteDriver const&) = delete;
  SqliteDriver& operator=(SqliteDriver const&) = delete;

  std::unique_ptr<engine::Session> open(engine::Rights rights) override;
  void sync() override;
  engine::Tidied tidy(engine::Occasion occasion) override;
  engine::DriverState state() const override;
  AttachmentFiles* attachment_files() override { return attachments_ ? &*attachments_ : nullptr; }

 private:
  std::optional<std::string> trouble() const;
  void rescue_log();
  engine::Tidied checkpoint();

  std::unique_ptr<OwnerLock> const lock_;
  std::string const path_;
  std::unique_ptr<Connection> to_open_;  ///< until the session that writes is opened
  Connection* db_ = nullptr;             ///< of the session that writes
  Writers const writers_ = Writers::many;
  std::unique_ptr<DatabaseFiles> files_;  ///< none in memory, and where others may replace the database
  std::optional<AttachmentDirectory> attachments_;  ///< beside the database; none in memory
  std::optional<LogFile> log_;
  std::atomic<int> log_pages_ = 0;
  int checkpoint_at_ = 0;  ///< the number of pages of the log that calls for a checkpoint
};

}  // namespace andon::store::sqlite
