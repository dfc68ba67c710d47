// The thread has a connection of its own. It sends a heartbeat each second, prolongs or takes the lead, and
// compares the clocks. Notices of other servers are only a hint: each second it looks at the turn too.
//
// The leader is a row with a time, not a lock of the connection, because a process that stands still keeps
// its connection. A server believes that it leads for half a second less than the row says.

#include "store/postgres/servers/postgres_servers.hpp"

#include <chrono>
#include <poll.h>
#include <utility>

#include "os/processes/clock.hpp"
#include "os/processes/log.hpp"
#include "os/processes/process.hpp"
#include "store/contract/store_error.hpp"

namespace andon::store::postgres {
namespace {

using sql::Query;
using std::chrono::milliseconds;

Query const kTime{"server_time"};
Query const kNamed{"server_named"};
Query const kPut{"server_put"};
Query const kHeartbeat{"server_seen"};
Query const kRemove{"server_remove"};
Query const kList{"server_list"};
Query const kLead{"leader_lead"};
Query const kLeave{"leader_leave"};
Query const kTurnNow{"turn"};
Query const kBeginPut{"begin_write"};
Query const kCommitPut{"commit"};
Query const kUndoPut{"rollback"};

Statement const kLockServers{
    "lock the servers",
    "SELECT pg_advisory_xact_lock(1634624625, to_regnamespace(current_schema())::oid::int)"};

constexpr milliseconds kBetweenHeartbeats{1000};
/// A command that ends sooner needs no connection for this.
constexpr milliseconds kBeforeFirst{500};
constexpr milliseconds kBetweenAttempts{200};
/// Other servers may commit a thousand times a second.
constexpr milliseconds kBetweenLooks{5};
/// The lead lasts for four seconds from the moment the database has it.
constexpr core::Duration kLeads = milliseconds{3500};
/// A larger difference of clocks is worth a warning.
constexpr core::Duration kMuchOffset = std::chrono::seconds{5};

core::Duration uptime() { return os::kSystemClock.uptime(); }

/// True when it was a process of this machine and runs no longer.
bool has_ended(std::string_view text) {
  auto const process = os::parse_process(text);
  return process && process->boot == os::boot_id() && !os::is_alive(*process);
}

/// False when the event has happened.
bool rest(os::Event const& stop, milliseconds time) {
  pollfd waiting{stop.handle(), POLLIN, 0};
  return ::poll(&waiting, 1, static_cast<int>(time.count())) == 0;
}

}  // namespace

void PostgresServers::watch(engine::Driver::Look look) {
  thread_ = std::thread{[this, look = std::move(look)] { run(look); }};
}

void PostgresServers::end_watch() {
  stop_.set();
  if (thread_.joinable()) thread_.join();
}

void PostgresServers::run(engine::Driver::Look const& look) {
  std::unique_ptr<SqlConnection> db;
  std::int64_t turn = 0;
  for (auto pause = kBeforeFirst; rest(stop_, pause); pause = kBetweenLooks) try {
      if (!db) {
        db = std::make_unique<SqlConnection>(settings_, Access::write_behind);
        db->run_script("listen to other servers", "LISTEN \"andon " + settings_.schema() + "\"");
      }
      step(*db, turn, look);
    } catch (StoreError const&) {
      db.reset();
      if (!rest(stop_, kBetweenAttempts)) break;
    }
  leads_until_ = 0;
}

void PostgresServers::step(SqlConnection& db, std::int64_t& turn, engine::Driver::Look const& look) {
  note_clock(db);
  if (membership_ == Membership::joined) send_heartbeat(db), lead(db);
  auto row = db.query(kTurnNow);
  row.step();
  if (row.integer(0) != std::exchange(turn, row.integer(0))) call(look);
  auto const next = uptime() + kBetweenHeartbeats;
  for (auto left = next - uptime(); left > core::Duration{0}; left = next - uptime()) {
    if (db.await_notice(id_, stop_.handle(), std::chrono::ceil<milliseconds>(left))) call(look);
    if (!rest(stop_, kBetweenLooks)) return;
  }
}

/// Changes that are written after a look has begun are seen by the next one.
void PostgresServers::call(engine::Driver::Look const& look) {
  if (!is_looking_.exchange(true)) look([this] { is_looking_ = false; });
}

void PostgresServers::send_heartbeat(SqlConnection& db) {
  os::MutexLock const lock{mutex_};
  db.run(kHeartbeat, server_.name, id_);
  if (db.changed_rows() == 0) put(db, server_);
}

void PostgresServers::lead(SqlConnection& db) {
  auto const asked = uptime();
  auto row = db.query(kLead, id_);
  bool const leads = row.step();
  leads_until_ = leads ? (asked + kLeads).count() : 0;
}

void PostgresServers::note_clock(SqlConnection& db) {
  auto const before = os::kSystemClock.now();
  auto row = db.query(kTime);
  row.step();
  auto const after = os::kSystemClock.now();
  auto const offset = row.instant(0) - (before + (after - before) / 2);
  auto const known = core::Duration{offset_.exchange(offset.count())};
  if (std::chrono::abs(offset) > kMuchOffset && std::chrono::abs(known) <= kMuchOffset)
    os::log(os::Level::warning,
            "the clock of this machine and that of the database differ by " +
                std::to_string(std::chrono::duration_cast<std::chrono::seconds>(offset).count()) +
                " s; times on the board follow the database");
}

core::Duration PostgresServers::measure_clock() {
  SqlConnection db{settings_, Access::read};
  note_clock(db);
  return clock_offset();
}

bool PostgresServers::leads() const {
  if (membership_ == Membership::none) return true;
  return uptime().count() < leads_until_;
}

/// A server that ended without a word is still in the table. Its name is free at once on the same machine,
/// where one can see that its process is gone, and elsewhere after ten seconds.
void PostgresServers::join(ServerName const& server) {
  SqlConnection db{settings_, Access::write};
  db.run(kBeginPut);
  db.ask(kLockServers, {});
  {
    auto row = db.query(kNamed, server.name);
    bool const is_taken = row.step() && row.integer(2) != 0 && row.view(0) != id_;
    if (is_taken && !has_ended(row.view(1)))
      throw StoreError{StoreError::Kind::refused,
                       "another server of this store is called \"" + server.name +
                           "\" and was heard of less than ten seconds ago; give this one another name with "
                           "--name, or try again when the other has ended"};
  }
  put(db, server);
  db.run(kCommitPut);
  db.flush();
  note_clock(db);
  {
    os::MutexLock const lock{mutex_};
    server_ = server;
  }
  membership_ = Membership::joined;
  lead(db);
}

void PostgresServers::put(SqlConnection& db, ServerName const& server) {
  db.run(kPut, server.name, id_, os::to_text(os::own_identity()), server.url, server.version);
  db.flush();
}

void PostgresServers::leave() {
  if (membership_.exchange(Membership::left) != Membership::joined) return;
  leads_until_ = 0;
  try {
    SqlConnection db{settings_, Access::write_behind};
    db.run(kLeave, id_);
    db.run(kRemove, id_);
    db.flush();
  } catch (StoreError const&) {  // NOLINT(bugprone-empty-catch)
    // the others see that its heartbeats end
  }
}

std::vector<ServerState> PostgresServers::all() {
  SqlConnection db{settings_, Access::read};
  std::vector<ServerState> out;
  for (auto row = db.query(kList); row.step();)
    out.push_back({{row.text(0), row.text(1), row.text(2)},
                   row.instant(3),
                   row.instant(4),
                   row.integer(6) != 0,
                   row.integer(7) != 0,
                   row.view(5) == id_});
  return out;
}

}  // namespace andon::store::postgres
