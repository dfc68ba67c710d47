// bench_pg_exclusion URL SCHEME SERVERS BATCH SECONDS: how many tasks per second several servers claim on one
// PostgreSQL, in batches that are one transaction each. Makes a schema `exclusion` with 200,000 waiting tasks
// and drops one that is there. Prints one line. The schemes are how servers exclude each other:
//
// store_lock        one lock of the store from the first read to the end of the commit
// store_lock_async  the same, but the commit does not wait for the disk: a second connection of the server
//                   waits for it while the next batch runs
// row_locks         each task is locked for itself; the lock of the store is held while events are numbered
//                   and committed
// row_locks_async   the same, with commits that a second connection waits for
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "store/postgres/connection/connection.hpp"

namespace {

using namespace andon::store::postgres;
using Clock = std::chrono::steady_clock;

/// The columns and indexes that a claim changes in the store's own table.
constexpr char kTables[] =
    "DROP SCHEMA IF EXISTS exclusion CASCADE; CREATE SCHEMA exclusion; SET search_path = exclusion;"
    "CREATE TABLE task (id bigint PRIMARY KEY, board bigint, status text COLLATE \"C\","
    " lane text COLLATE \"C\", class_rank bigint, pick_due bigint, priority_rank bigint,"
    " rank text COLLATE \"C\", available bigint, claimed_by text, claim_expires bigint, epoch bigint,"
    " rev bigint, updated bigint, started bigint, title text, archived bigint) WITH (fillfactor = 80);"
    "INSERT INTO task SELECT n, 1, 'todo', '', 1, 0, n % 4, 'r' || n, 1, '', NULL, 0, 1, 0, NULL,"
    " 'the title of task ' || n, 0 FROM generate_series(1, 200000) n;"
    "CREATE INDEX ON task (board, status, lane, class_rank, pick_due, priority_rank, rank, id)"
    " WHERE available = 1;"
    "CREATE INDEX ON task (board, status); CREATE INDEX ON task (board, status, updated);"
    "CREATE INDEX ON task (board, status, class_rank, pick_due) WHERE available <> 1;"
    "CREATE INDEX ON task (claimed_by) WHERE claimed_by <> '';"
    "CREATE INDEX ON task (claim_expires) WHERE claim_expires IS NOT NULL;"
    "CREATE INDEX ON task (board, started) WHERE started IS NOT NULL;"
    "CREATE INDEX ON task (board, archived, title);"
    "CREATE INDEX ON task (board, archived, priority_rank);"
    "CREATE TABLE event (seq bigint PRIMARY KEY, ts bigint, actor text, kind text, board text, task bigint,"
    " data text); CREATE INDEX ON event (task); CREATE INDEX ON event (board, kind); ANALYZE";

Statement const kStoreLock{"lock the store", "SELECT pg_advisory_xact_lock(42)"};
Statement const kPage{
    "read a page",
    "SELECT id FROM task WHERE available = 1 AND board = 1 AND status = 'todo' AND lane = ''"
    " ORDER BY class_rank, pick_due, priority_rank, rank, id LIMIT $1"};
Statement const kLockedPage{"lock a page", kPage.text + " FOR UPDATE SKIP LOCKED"};
Statement const kClaim{"claim",
                       "UPDATE task SET status = 'doing', available = 0, claimed_by = 'worker',"
                       " claim_expires = 1, epoch = epoch + 1, rev = rev + 1, updated = 5, started = 5"
                       " WHERE id = ANY($1)"};
Statement const kEvents{"add events",
                        "INSERT INTO event SELECT (SELECT coalesce(max(seq), 0) FROM event) + n, 1,"
                        " 'worker:w', 'task.claimed', 'shop', id, '{\"by\":\"w\"}'"
                        " FROM unnest($1) WITH ORDINALITY AS claimed (id, n)"};
/// A commit with a number of its own; the disk has it only when it has all commits before it.
Statement const kWaitForDisk{"wait for the disk", "SELECT txid_current()"};
Statement const kSetCommits{"set the kind of commits", "SELECT set_config('synchronous_commit', $1, false)"};
Statement const kCount{"count", "SELECT count(*), max(seq), count(DISTINCT task) FROM event"};

struct Scheme {
  std::string_view name;
  bool locks_rows;
  bool is_async;
};
constexpr std::array kSchemes{Scheme{"store_lock", false, false}, Scheme{"store_lock_async", false, true},
                              Scheme{"row_locks", true, false}, Scheme{"row_locks_async", true, true}};

/// Waits on a connection of its own until commits are on the disk.
class DiskWait {
 public:
  explicit DiskWait(Settings const& settings) : connection_(settings, Access::write) {
    thread_ = std::thread{[this] { run(); }};
  }
  ~DiskWait() {
    {
      std::scoped_lock const lock{mutex_};
      is_over_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  DiskWait(DiskWait const&) = delete;
  DiskWait& operator=(DiskWait const&) = delete;

  /// Returns when all commits but the last one are on the disk.
  void add_commit() {
    std::unique_lock lock{mutex_};
    ++committed_;
    changed_.notify_all();
    changed_.wait(lock, [&] { return committed_ - durable_ < 2; });
  }

 private:
  void run() {
    std::unique_lock lock{mutex_};
    for (;;) {
      changed_.wait(lock, [&] { return is_over_ || committed_ > durable_; });
      if (committed_ == durable_) return;
      auto const target = committed_;
      lock.unlock();
      connection_.query(kWaitForDisk);
      lock.lock();
      durable_ = target;
      changed_.notify_all();
    }
  }

  Connection connection_;
  std::mutex mutex_;
  std::condition_variable changed_;
  long committed_ = 0;
  long durable_ = 0;
  bool is_over_ = false;
  std::thread thread_;
};

/// Claims one batch and commits it.
std::vector<std::int64_t> claim(Connection& connection, Scheme const& scheme, int batch) {
  connection.queue(begin_writing());
  if (!scheme.locks_rows) connection.queue(kStoreLock);
  std::vector<std::int64_t> ids;
  auto const page = connection.query(scheme.locks_rows ? kLockedPage : kPage, Parameters::of(batch));
  for (auto const row : page) ids.push_back(row.integer(0));
  connection.queue(kClaim, Parameters::of(ids));
  if (scheme.locks_rows) connection.queue(kStoreLock);
  connection.queue(kEvents, Parameters::of(ids));
  connection.queue(commit());
  connection.flush();
  return ids;
}

long run_server(Settings const& settings, Scheme const& scheme, int batch, Clock::time_point end) {
  Connection connection{settings, Access::write};
  connection.query(kSetCommits, Parameters::of(scheme.is_async ? "off" : "on"));
  DiskWait disk{settings};
  long claimed = 0;
  while (Clock::now() < end) {
    auto const ids = claim(connection, scheme, batch);
    if (ids.empty()) break;
    if (scheme.is_async) disk.add_commit();
    claimed += static_cast<long>(ids.size());
  }
  return claimed;
}

int measure(std::string const& url, Scheme const& scheme, int servers, int batch, double seconds) {
  Settings const settings{url + (url.contains('?') ? "&" : "?") + "schema=exclusion"};
  Connection owner{settings, Access::write};
  owner.run_script("make the tables", kTables);
  std::atomic<long> claimed = 0;
  auto const start = Clock::now();
  auto const end = start + std::chrono::milliseconds{static_cast<int>(seconds * 1000)};
  std::vector<std::thread> threads;
  for (int i = 0; i < servers; ++i)
    threads.emplace_back([&] { claimed += run_server(settings, scheme, batch, end); });
  for (auto& thread : threads) thread.join();
  auto const took = std::chrono::duration<double>(Clock::now() - start).count();

  auto const rows = owner.query(kCount);
  bool const is_right =
      rows[0].integer(0) == claimed && rows[0].integer(1) == claimed && rows[0].integer(2) == claimed;
  std::printf("%.*s servers=%d batch=%d claims_per_s=%.0f n=%ld %s\n", static_cast<int>(scheme.name.size()),
              scheme.name.data(), servers, batch, static_cast<double>(claimed) / took, claimed.load(),
              is_right ? "each claimed once" : "WRONG: claimed twice, or events have gaps");
  return is_right ? 0 : 1;
}

}  // namespace

int main(int count, char** arguments) {
  for (auto const& scheme : kSchemes)
    if (count == 6 && scheme.name == arguments[2]) try {
        return measure(arguments[1], scheme, std::stoi(arguments[3]), std::stoi(arguments[4]),
                       std::stod(arguments[5]));
      } catch (std::exception const& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
      }
  std::fprintf(stderr,
               "usage: bench_pg_exclusion URL SCHEME SERVERS BATCH SECONDS\n"
               "SCHEME is store_lock, store_lock_async, row_locks or row_locks_async\n");
  return 2;
}
