#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "os/processes/event.hpp"
#include "os/processes/mutex.hpp"
#include "store/contract/servers.hpp"
#include "store/engine/driver.hpp"
#include "store/postgres/session/sql_connection.hpp"

namespace andon::store::postgres {

/// The servers on one PostgreSQL database, and the thread of this process that listens to the others.
class PostgresServers final : public Servers {
 public:
  /// `id` names this process. The settings are not owned.
  PostgresServers(Settings const& settings, std::string id) : settings_(settings), id_(std::move(id)) {}
  ~PostgresServers() override { end_watch(); }

  /// Starts the thread. It calls `look` when another server has written.
  void watch(engine::Driver::Look look);
  void end_watch();

  void join(ServerName const& server) override;
  void leave() override;
  bool leads() const override;
  std::vector<ServerState> all() override;
  /// Asks the database for its time.
  core::Duration measure_clock();
  core::Duration clock_offset() const override { return core::Duration{offset_.load()}; }

 private:
  enum class Membership { none, joined, left };

  void run(engine::Driver::Look const& look);
  /// One look at the database, a second after the last one or when another server has written.
  void step(SqlConnection& db, std::int64_t& turn, engine::Driver::Look const& look);
  void send_heartbeat(SqlConnection& db);
  void lead(SqlConnection& db);
  void call(engine::Driver::Look const& look);
  void note_clock(SqlConnection& db);
  void put(SqlConnection& db, ServerName const& server);

  Settings const& settings_;
  std::string const id_;
  os::Mutex mutex_;
  ServerName server_ GUARDED_BY(mutex_);
  std::atomic<Membership> membership_ = Membership::none;
  std::atomic<core::Duration::rep> leads_until_ = 0;  ///< by the uptime of this machine
  std::atomic<core::Duration::rep> offset_ = 0;
  std::atomic<bool> is_looking_ = false;  ///< a look has not begun
  os::Event stop_;
  std::thread thread_;
};

}  // namespace andon::store::postgres
