#include "store/sql/rows/document.hpp"
#include "store/sql/rows/shared_queries.hpp"
#include "store/sql/rows/token_row.hpp"
#include "store/sql/session/sql_session.hpp"

namespace andon::store::sql {
namespace {

using engine::Records;
using engine::RecordsQuery;
using engine::RunsQuery;

Query const kRegistryNumber{"catalogue_number"};
Query const kAllBoards{"boards"};
Query const kWorkers{"workers"};
Query const kRunById{"run_by_id"};
Query const kRunsOfTask{"runs_of_task"};
Query const kLiveRuns{"runs_live"};
Query const kRecentRuns{"runs_recent"};
Query const kGuardOfRun{"run_guard"};
Query const kAutomations{"automations"};
Query const kAutomationById{"automation_by_id"};
Query const kTokenByHash{"token_by_hash"};
Query const kTokenByBeginning{"token_by_beginning"};
Query const kTokens{"tokens"};
Query const kTokensOfRun{"tokens_of_run"};
Query const kRemembered{"remembered_by_key"};
Query const kSettingByName{"setting_by_name"};
Query const kSettings{"settings"};
Query const kSettlingOf{"settling_of"};

std::vector<core::Run> runs_in(Statement rows) {
  std::vector<core::Run> out;
  while (rows.step()) out.push_back(run_in(rows.view(0)));
  return out;
}

std::vector<engine::StoredAutomation> automations_in(Statement rows) {
  std::vector<engine::StoredAutomation> out;
  while (rows.step()) {
    auto& one = out.emplace_back(automation_in(rows.view(2)), core::BoardId{rows.integer(1)});
    one.automation.id = core::AutomationId{rows.integer(0)};
  }
  return out;
}

/// Sorts after every hex digit.
constexpr char kAboveHex = 'g';

std::vector<Token> tokens_in(Statement rows) {
  std::vector<Token> out;
  while (rows.step()) out.push_back(token_in(rows));
  return out;
}

}  // namespace

std::optional<engine::Registry> SqlSession::registry(std::int64_t known) {
  engine::Registry out;
  out.number = number(db_, kRegistryNumber);
  if (out.number == known) return std::nullopt;
  out.incarnation = incarnation_of(db_);
  for (auto row = db_.query(kAllBoards); row.step();) {
    auto& board = out.boards.emplace_back(board_in(row.view(1)));
    board.id = core::BoardId{row.integer(0)};
  }
  for (auto row = db_.query(kWorkers); row.step();) out.workers.push_back(worker_in(row.view(0)));
  return out;
}

std::vector<core::Run> SqlSession::runs(RunsQuery const& query) {
  switch (query.kind) {
    case RunsQuery::Kind::by_id: return runs_in(db_.query(kRunById, query.id));
    case RunsQuery::Kind::of_task: return runs_in(db_.query(kRunsOfTask, query.id));
    case RunsQuery::Kind::live: return runs_in(db_.query(kLiveRuns));
    case RunsQuery::Kind::recent: return runs_in(db_.query(kRecentRuns, query.most));
  }
  return {};
}

Records SqlSession::records(RecordsQuery const& query) {
  Records out;
  switch (query.kind) {
    case RecordsQuery::Kind::guard:
      if (auto row = db_.query(kGuardOfRun, query.number); row.step())
        out.guards.emplace_back(query.number, guard_in(row.view(0)));
      break;
    case RecordsQuery::Kind::automations:
      out.automations = automations_in(query.number == 0 ? db_.query(kAutomations)
                                                         : db_.query(kAutomationById, query.number));
      break;
    case RecordsQuery::Kind::token: out.tokens = tokens_in(db_.query(kTokenByHash, query.key)); break;
    case RecordsQuery::Kind::token_beginning:
      out.tokens = tokens_in(db_.query(kTokenByBeginning, query.key, query.key + kAboveHex));
      break;
    case RecordsQuery::Kind::tokens:
      out.tokens = tokens_in(db_.query(kTokens, query.number, query.most));
      break;
    case RecordsQuery::Kind::tokens_of_run:
      out.tokens = tokens_in(db_.query(kTokensOfRun, query.number));
      break;
    case RecordsQuery::Kind::remembered:
      if (auto row = db_.query(kRemembered, query.key); row.step())
        out.remembered.emplace_back(query.key, Remembered{row.text(0), row.text(1), row.instant(2)});
      break;
    case RecordsQuery::Kind::setting:
      if (auto row = db_.query(kSettingByName, query.key); row.step())
        out.settings.emplace_back(query.key, row.text(0));
      break;
    case RecordsQuery::Kind::settings:
      for (auto row = db_.query(kSettings); row.step();) out.settings.emplace_back(row.text(0), row.text(1));
      break;
    case RecordsQuery::Kind::settling:
      if (auto row = db_.query(kSettlingOf, query.number); row.step())
        out.settling.push_back({core::BoardId{query.number}, core::TaskId{row.integer(0)}, row.integer(1)});
      break;
  }
  return out;
}

}  // namespace andon::store::sql
