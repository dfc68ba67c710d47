#pragma once

#include <mutex>

#include "os/processes/mutex.hpp"
#include "store/engine/driver.hpp"
#include "store/postgres/driver/attachment_rows.hpp"
#include "store/postgres/servers/postgres_servers.hpp"
#include "store/postgres/session/batch_record.hpp"
#include "store/postgres/session/sql_connection.hpp"

namespace andon::store::postgres {

/// A database of a PostgreSQL server. A commit does not wait for the disk; `sync` does, on a connection of
/// its own, for all commits before it.
class PostgresDriver final : public engine::Driver {
 public:
  explicit PostgresDriver(Settings settings) : settings_(std::move(settings)) {}

  std::unique_ptr<engine::Session> open(engine::Rights rights) override;
  void sync() override;
  void watch(Look look) override { servers_.watch(std::move(look)); }
  void end_watch() override { servers_.end_watch(); }
  Servers* servers() override { return &servers_; }
  AttachmentFiles* attachment_files() override { return &attachments_; }
  engine::Tidied tidy(engine::Occasion) override { return {}; }
  engine::DriverState state() const override { return {}; }

 private:
  Settings const settings_;
  /// Opens the connection that waits for the disk, and looks which batches the database has.
  void connect() REQUIRES(mutex_);

  os::Mutex mutex_;
  std::unique_ptr<SqlConnection> syncing_ GUARDED_BY(mutex_);
  BatchRecord record_;
  PostgresServers servers_{settings_, record_.server()};
  AttachmentRows attachments_{settings_};
};

}  // namespace andon::store::postgres
