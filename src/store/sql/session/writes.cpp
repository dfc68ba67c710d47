#include "store/sql/rows/document.hpp"
#include "store/sql/rows/json_text.hpp"
#include "store/sql/rows/token_row.hpp"
#include "store/sql/session/sql_session.hpp"

namespace andon::store::sql {
namespace {

using engine::ClaimsChange;

Query const kBoardAdd{"board_add"};
Query const kBoardPut{"board_put"};
Query const kBoardRemove{"board_remove"};
Query const kRenameEvents{"board_rename_events"};
Query const kRegistryChanged{"catalogue_changed"};
Query const kWorkerPut{"worker_put"};
Query const kWorkerRemove{"worker_remove"};
Query const kSetColumnLoad{"column_load_set"};
Query const kSetClassLoad{"class_load_set"};
Query const kSettlingPut{"settling_put"};
Query const kSettlingEnd{"settling_end"};
Query const kClaimsMove{"claims_move"};
Query const kExtendRuns{"claims_extend_runs"};
Query const kExtendOfBoard{"claims_extend_of_board"};
Query const kClaimSettle{"claim_settle"};
Query const kUnsettleHolder{"claims_unsettle_of"};
Query const kUnsettleColumn{"claims_unsettle_in"};
Query const kPromote{"pick_promote"};
Query const kPromoteTags{"tags_enqueue"};
Query const kRunAdd{"run_add"};
Query const kRunPut{"run_put"};
Query const kGuardPut{"run_guard_put"};
Query const kAutomationPut{"automation_put"};
Query const kAutomationRemove{"automation_remove"};
Query const kTokenPut{"token_put"};
Query const kRememberedPut{"remember"};
Query const kSettingPut{"setting_put"};
Query const kGivenPut{"given_put"};
Query const kNumberedUpTo{"numbered_up_to"};
Query const kFileOfTaskRemove{"file_of_task_remove"};
Query const kNumberOfTaskRemove{"number_of_task_remove"};

std::string_view state_of(core::Run const& run) {
  return core::kRunStateNames[static_cast<std::size_t>(run.state)];
}

void write_run(Connection& db, engine::RunChange const& change) {
  auto const& run = *change.run;
  db.run(change.is_new ? kRunAdd : kRunPut, run.id, run.task, state_of(run), document_of(run), run.ended);
}

}  // namespace

void SqlSession::write(engine::Writes const& writes) {
  write_boards(writes);
  for (auto const& change : writes.tasks) write(change);
  for (auto const& change : writes.derived) write_derived(change);
  for (auto const id : writes.promoted) {
    db_.run(kPromote, id);
    db_.run(kPromoteTags, id);
  }
  for (auto const& change : writes.claims) write(change);
  for (auto const* task : writes.erased) erase(*task);
  for (auto const id : writes.forgotten) {
    db_.run(kNumberedUpTo, id);
    db_.run(kFileOfTaskRemove, id);
    db_.run(kNumberOfTaskRemove, id);
  }
  for (auto const& load : writes.loads)
    db_.run(load.is_class ? kSetClassLoad : kSetColumnLoad, load.board, load.name, load.tasks);
  for (auto const& change : writes.runs) write_run(db_, change);
  for (auto const& event : writes.events) append(event);
  write(writes.counts);
  write(writes.records);
  for (auto const id : writes.boards_removed) db_.run(kBoardRemove, id);
  for (auto const& name : writes.workers_removed) db_.run(kWorkerRemove, name);
  for (auto const id : writes.automations_removed) db_.run(kAutomationRemove, id);
  for (auto const id : writes.settled) db_.run(kSettlingEnd, id);
  if (writes.numbers) {
    db_.run(kGivenPut, "run", writes.numbers->run);
    db_.run(kGivenPut, "token", writes.numbers->token);
  }
  if (writes.reshaped) db_.run(kRegistryChanged);
}

void SqlSession::write_boards(engine::Writes const& writes) {
  for (auto const& [board, former_name, is_new] : writes.boards) {
    db_.run(is_new ? kBoardAdd : kBoardPut, board->id, board->name, document_of(*board));
    if (!former_name.empty()) db_.run(kRenameEvents, former_name, board->name);
  }
  for (auto const* worker : writes.workers) db_.run(kWorkerPut, worker->name, document_of(*worker));
}

void SqlSession::write(ClaimsChange const& change) {
  switch (change.kind) {
    case ClaimsChange::Kind::move:
      return db_.run(kClaimsMove, change.at, std::int64_t{change.by.count()}, number_list(change.in_files));
    case ClaimsChange::Kind::extend_runs: return db_.run(kExtendRuns, change.at, change.until);
    case ClaimsChange::Kind::extend_of_board:
      return db_.run(kExtendOfBoard, change.at, change.until, change.board);
    case ClaimsChange::Kind::settle: return db_.run(kClaimSettle, change.task);
    case ClaimsChange::Kind::unsettle_holder: return db_.run(kUnsettleHolder, change.name);
    case ClaimsChange::Kind::unsettle_column: return db_.run(kUnsettleColumn, change.board, change.name);
  }
}

void SqlSession::write(engine::Records const& records) {
  for (auto const& [run, guard] : records.guards) db_.run(kGuardPut, run, document_of(guard));
  for (auto const& [automation, board] : records.automations)
    db_.run(kAutomationPut, automation.id, automation.name, board, document_of(automation));
  for (auto const& token : records.tokens) {
    auto statement = db_.query(kTokenPut);
    bind_token(statement, token);
    statement.step();
  }
  for (auto const& [key, answer] : records.remembered)
    db_.run(kRememberedPut, key, answer.fingerprint, answer.answer, answer.at);
  for (auto const& [name, value] : records.settings) db_.run(kSettingPut, name, value);
  for (auto const& [board, after, unsettled] : records.settling)
    db_.run(kSettlingPut, board, after, unsettled);
}

}  // namespace andon::store::sql
