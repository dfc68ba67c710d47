#include <map>

#include "store/sqlite/transaction/transaction.hpp"

// Removal of data after its retention, in slices whose size the caller bounds.
namespace andon::store::sqlite {
namespace {

Query const kRevoked{"tokens_remove_revoked"};
Query const kTokensRemoveExpired{"tokens_remove_expired"};
Query const kAnswers{"forget_before"};
Query const kRunsRemoveEnded{"runs_remove_ended"};
Query const kEventsTraced{"events_traced"};
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
  settle_counts_now();  // totals name the workers of runs
  db_.run(kGiven, "run", numbers_->run);
  return removed(db_, kRunsRemoveEnded, at, most);
}

void Transaction::number_runs_after(core::RunId last) {
  before_write();
  numbers_->run = std::max<std::int64_t>(numbers_->run, last);
  db_.run(kGiven, "run", numbers_->run);
}

/// The moves from which the time in active work of recently finished and of unfinished tasks follows.
std::vector<core::EventSeq> Transaction::traced_events(core::EventSeq after, core::EventSeq until) {
  std::map<BoardId, core::Instant> firsts;  // the completion of the first traced task of each board
  auto const first = [&](BoardId board) {
    auto const [at, is_new] = firsts.try_emplace(board);
    if (!is_new) return at->second;
    auto const last = finished_last(board, {}, kMostTraced);
    if (last.size() == kMostTraced) at->second = last.back().completed;
    return at->second;
  };
  std::vector<core::EventSeq> out;
  for (auto row = db_.query(kEventsTraced, after, until); row.step();)
    if (row.is_null(2) || row.instant(2) >= first(BoardId{row.integer(1)})) out.emplace_back(row.integer(0));
  return out;
}

std::vector<core::EventSeq> Transaction::remove_events(core::EventSeq after, core::EventSeq until,
                                                       core::Instant before) {
  before_write();
  settle_counts_now();  // totals follow from the events
  std::vector<core::EventSeq> out;
  std::string kept = "[";
  for (auto const seq : traced_events(after, until))
    kept += (kept.size() > 1 ? "," : "") + std::to_string(seq);
  kept += "]";
  for (auto row = db_.query(kEventsRemove, after, until, before, kept); row.step();)
    out.emplace_back(row.integer(0));
  return out;
}

}  // namespace andon::store::sqlite
