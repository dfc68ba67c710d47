// A batch is: begin, take the lock of the store, look whether others have written (one round trip); the
// statements of its units; then, again in one round trip, raise the turn, add the number of the batch, tell
// other servers, and commit.
//
// When the connection is lost in the commit, a new one takes the lock of the store. The old transaction has
// ended by then, because it held the lock. So the number of the last batch says whether it was kept.

#include "store/postgres/session/postgres_session.hpp"

#include <chrono>
#include <string>
#include <thread>
#include <utility>

#include "os/processes/deadline.hpp"
#include "store/contract/unknown_result.hpp"
#include "store/postgres/session/store_lock.hpp"

namespace andon::store::postgres {
namespace {

using sql::Query;

Query const kBeginToWrite{"begin_write"};
Query const kBeginToRead{"begin_read"};
Query const kCommitAll{"commit"};
Query const kRollBack{"rollback"};
Query const kMark{"unit_start"};
Query const kMarkDrop{"unit_release"};
Query const kMarkUndo{"unit_undo"};
Query const kTurn{"turn"};
Query const kBatchAdd{"batch_add"};
Query const kBatchLast{"batch_last"};
Query const kBatchForget{"batch_forget"};

Statement const kTellOthers{"tell other servers", "SELECT pg_notify('andon ' || current_schema(), $1)"};

/// How long a unit of work waits for a database that restarts.
constexpr auto kPatience = std::chrono::seconds{3};
/// How long the result of a commit may stay unknown.
constexpr auto kLongestDoubt = std::chrono::seconds{20};
constexpr auto kBetweenAttempts = std::chrono::milliseconds{50};
/// So many numbers of batches are kept.
constexpr std::int64_t kBatches = 1024;

/// Calls `act` until it works or the time is over; then rethrows its failure.
template <class Act>
auto within(std::chrono::milliseconds most, Act const& act) {
  os::Deadline const deadline{most};
  for (;;) try {
      return act();
    } catch (StoreError const& error) {
      if (error.kind() != StoreError::Kind::busy || deadline.is_over()) throw;
      std::this_thread::sleep_for(kBetweenAttempts);
    }
}

}  // namespace

void PostgresSession::begin(engine::Rights rights) {
  has_mark_ = false;
  writes_ = rights == engine::Rights::write;
  within(kPatience, [&] {
    if (db_.is_lost()) db_.connect();
    try {
      open(rights);
    } catch (StoreError const&) {
      if (!db_.is_lost()) rollback();
      throw;
    }
  });
}

void PostgresSession::open(engine::Rights rights) {
  is_in_transaction_ = true;
  db_.note_transaction(true);
  db_.run(rights == engine::Rights::write ? kBeginToWrite : kBeginToRead);
  if (rights == engine::Rights::write) take_turn();
}

/// The turn tells whether another server has written.
void PostgresSession::take_turn() {
  db_.queue(lock_store(), {});
  auto row = db_.query(kTurn);
  row.step();
  auto const turn = row.integer(0);
  bool const is_new = db_.connections() != std::exchange(connections_, db_.connections());
  has_foreign_changes_ = turn != std::exchange(turn_, turn) || is_new;
  if (!is_new || !record_) return;
  auto const expected = record_->expected();
  record_->note_found(last_batch(), expected);
}

std::int64_t PostgresSession::last_batch() {
  auto row = db_.query(kBatchLast, record_->server());
  return row.step() ? row.integer(0) : 0;
}

void PostgresSession::commit() {
  has_mark_ = false;
  auto const batch = record_ ? record_->next() : 0;
  if (writes_) end_turn(batch);
  db_.run(kCommitAll);
  db_.note_transaction(false);
  try {
    db_.flush();
  } catch (UnknownResult const& error) {
    is_in_transaction_ = false;
    if (!writes_ || !record_ || !was_kept(batch))
      throw StoreError{StoreError::Kind::busy, std::string{"nothing was changed: "} + error.what()};
  }
  is_in_transaction_ = false;
  if (record_) record_->note_commit(batch);
}

void PostgresSession::end_turn(std::int64_t batch) {
  db_.queue(raise_turn(), {});
  ++turn_;
  if (record_) db_.run(kBatchAdd, record_->server(), batch);
  if (record_ && batch % kBatches == 0) db_.run(kBatchForget, record_->server(), batch - kBatches);
  db_.queue(kTellOthers, Parameters::of(record_ ? record_->server() : std::string{}));
}

/// Throws UnknownResult when the database cannot be asked.
bool PostgresSession::was_kept(std::int64_t batch) try {
  return within(kLongestDoubt, [&] {
    db_.connect();
    db_.run(kBeginToWrite);
    db_.queue(lock_store(), {});
    bool const out = last_batch() >= batch;
    db_.run(kRollBack);
    db_.flush();
    return out;
  });
} catch (StoreError const& error) {
  throw UnknownResult{UnknownResult::Disk::works, error.what()};
}

void PostgresSession::rollback() {
  has_mark_ = false;
  db_.forget_deferred();
  db_.note_transaction(false);
  if (!std::exchange(is_in_transaction_, false) || db_.is_lost()) return;
  try {
    db_.run(kRollBack);
    db_.flush();
  } catch (StoreError const&) {
    if (!db_.is_lost()) throw;  // with a lost connection the database rolls back by itself
  }
}

void PostgresSession::write(engine::Writes const& writes) {
  SqlSession::write(writes);
  db_.flush();
}

void PostgresSession::set_mark() {
  if (std::exchange(has_mark_, true)) db_.run(kMarkDrop);
  db_.run(kMark);
}

void PostgresSession::undo_to_mark() {
  if (!std::exchange(has_mark_, false) || db_.is_lost()) return;
  db_.run(kMarkUndo);
  db_.run(kMarkDrop);
  db_.flush();
}

/// A transaction with a failed statement can go on only from a mark.
engine::SessionState PostgresSession::state() const {
  bool const goes_on = !db_.is_lost() && (has_mark_ || !db_.has_failed_transaction());
  return {is_in_transaction_ && goes_on, db_.has_failed(), db_.is_unsound(), db_.rows_written(), db_.steps(),
          has_foreign_changes_};
}

}  // namespace andon::store::postgres
