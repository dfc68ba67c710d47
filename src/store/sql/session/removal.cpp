#include "store/sql/session/sql_session.hpp"

namespace andon::store::sql {
namespace {

using engine::Removed;

Query const kRevoked{"tokens_remove_revoked"};
Query const kTokensRemoveExpired{"tokens_remove_expired"};
Query const kAnswers{"forget_before"};
Query const kRunsRemoveEnded{"runs_remove_ended"};
Query const kEventsRemove{"events_remove"};
Query const kTalliesDrop{"tallies_drop"};
Query const kTalliesDueDrop{"tallies_due_drop"};
Query const kMovesDrop{"move_totals_drop"};
Query const kFinishedDrop{"finished_totals_drop"};
Query const kSpreadsDrop{"spread_totals_drop"};
Query const kRunsDrop{"run_totals_drop"};

/// The number of rows that the statement removed.
template <class... Arguments>
std::int64_t removed(Connection& db, Query const& query, Arguments const&... arguments) {
  db.run(query, arguments...);
  return db.changed_rows();
}

Removed drop(Connection& db, engine::DropEvents const& what) {
  std::string kept = "[";
  for (auto const seq : what.kept) kept += (kept.size() > 1 ? "," : "") + std::to_string(seq);
  kept += "]";
  Removed out;
  for (auto row = db.query(kEventsRemove, what.after, what.until, what.before, kept); row.step();)
    out.events.emplace_back(row.integer(0));
  return out;
}

Removed drop(Connection& db, engine::DropRuns const& what) {
  return {removed(db, kRunsRemoveEnded, what.before, what.most)};
}

Removed drop(Connection& db, engine::DropTokens const& what) {
  auto const revoked = removed(db, kRevoked, what.before, what.most);
  auto const left = what.most - static_cast<std::size_t>(revoked);
  return {revoked + removed(db, kTokensRemoveExpired, what.before, left)};
}

Removed drop(Connection& db, engine::DropRemembered const& what) {
  return {removed(db, kAnswers, what.before, what.most)};
}

Removed drop(Connection& db, engine::DropCounts const& what) {
  for (auto const& query : {kMovesDrop, kFinishedDrop, kSpreadsDrop}) db.run(query, what.board.id);
  db.run(kRunsDrop, what.board.name);
  for (auto const& query : {kTalliesDrop, kTalliesDueDrop}) db.run(query, what.board.id);
  return {};
}

}  // namespace

Removed SqlSession::remove(engine::Removal const& removal) {
  return std::visit([this](auto const& what) { return drop(db_, what); }, removal);
}

}  // namespace andon::store::sql
