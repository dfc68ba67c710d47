#include "store/postgres/driver/postgres_driver.hpp"

#include <chrono>
#include <thread>
#include <utility>

#include "os/processes/deadline.hpp"
#include "store/contract/unknown_result.hpp"
#include "store/postgres/driver/schema.hpp"
#include "store/postgres/session/postgres_session.hpp"

namespace andon::store::postgres {
namespace {

sql::Query const kLastBatch{"batch_last"};

/// A commit that waits for the disk, which has it only when it has all commits before it. The record in the
/// log is needed: PostgreSQL lets no commit wait whose transaction has written none.
Statement const kWaitForDisk{"wait for the disk", "SELECT pg_logical_emit_message(true, 'andon', '')"};

/// How long it is tried to reach a database again.
constexpr auto kLongestDoubt = std::chrono::seconds{20};
constexpr auto kBetweenAttempts = std::chrono::milliseconds{50};

}  // namespace

std::unique_ptr<engine::Session> PostgresDriver::open(engine::Rights rights) {
  bool const writes = rights == engine::Rights::write;
  auto db = std::make_unique<SqlConnection>(settings_, writes ? Access::write_behind : Access::read);
  refuse_newer(*db);
  return std::make_unique<PostgresSession>(std::move(db), writes ? &record_ : nullptr);
}

/// A lost connection says nothing about the commits. On a new one the number of the last batch tells whether
/// the database has lost any in a crash.
void PostgresDriver::sync() {
  os::MutexLock const lock{mutex_};
  auto const last = record_.last();
  os::Deadline const deadline{kLongestDoubt};
  for (bool is_on_disk = false; !is_on_disk;) try {
      if (!syncing_ || syncing_->is_lost()) connect();
      syncing_->ask(kWaitForDisk, {});
      is_on_disk = true;
    } catch (StoreError const& error) {
      if (deadline.is_over()) throw UnknownResult{UnknownResult::Disk::works, error.what()};
      std::this_thread::sleep_for(kBetweenAttempts);
    }
  if (!record_.end_sync(last))
    throw UnknownResult{UnknownResult::Disk::works,
                        "the database crashed before all changes were on its disk"};
}

void PostgresDriver::connect() {
  auto const expected = record_.expected();
  syncing_.reset();
  auto db = std::make_unique<SqlConnection>(settings_, Access::write);
  auto row = db->query(kLastBatch, record_.server());
  row.step();
  record_.note_found(row.integer(0), expected);
  syncing_ = std::move(db);
}

}  // namespace andon::store::postgres
