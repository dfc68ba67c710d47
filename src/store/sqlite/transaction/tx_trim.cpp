#include "store/sqlite/transaction/transaction.hpp"

// Removal of data after its retention, in slices whose size the caller bounds.
namespace andon::store::sqlite {
namespace {

Query const kRevoked{"tokens_remove_revoked"};
Query const kTokensRemoveExpired{"tokens_remove_expired"};
Query const kAnswers{"forget_before"};
Query const kRunsRemoveEnded{"runs_remove_ended"};
Query const kEventsRemove{"events_remove"};
Query const kGiven{"given_put"};

/// The number of rows that the statement removed.
template <class... Arguments>
std::int64_t removed(Connection& db, Query const& query, Arguments const&... arguments) {
  db.run(query, arguments...);
  return sqlite3_changes64(db.handle());
}

}  // namespace

std::int64_t Transaction::remove_tokens_ended_before(core::Instant at, std::size_t most) {
  before_write();
  db_.run(kGiven, "token", numbers_->token);
  auto const revoked = removed(db_, kRevoked, at, most);
  return revoked + removed(db_, kTokensRemoveExpired, at, most - static_cast<std::size_t>(revoked));
}

std::int64_t Transaction::forget_before(core::Instant at, std::size_t most) {
  before_write();
  return removed(db_, kAnswers, at, most);
}

std::int64_t Transaction::remove_runs_ended_before(core::Instant at, std::size_t most) {
  before_write();
  db_.run(kGiven, "run", numbers_->run);
  return removed(db_, kRunsRemoveEnded, at, most);
}

void Transaction::number_runs_after(core::RunId last) {
  before_write();
  numbers_->run = std::max(numbers_->run, last);
  db_.run(kGiven, "run", numbers_->run);
}

std::int64_t Transaction::remove_events(std::int64_t after, std::int64_t until, core::Instant before) {
  before_write();
  return removed(db_, kEventsRemove, after, until, before);
}

}  // namespace andon::store::sqlite
