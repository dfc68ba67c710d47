#include <stdexcept>

#include "reflect/json.hpp"
#include "store/sqlite/rows/document.hpp"
#include "store/sqlite/transaction/transaction.hpp"

namespace andon::store::sqlite {
namespace {

Query const kAllAutomations{"automations"};
Query const kAutomationById{"automation_by_id"};
Query const kAutomationAdd{"automation_add"};
Query const kAutomationPut{"automation_put"};
Query const kAutomationRemove{"automation_remove"};
Query const kTouched{"columns_last_touched"};

}  // namespace

core::Automation Transaction::automation_of(Statement const& row) {
  auto out = automation_in(row.view(2));
  out.id = core::AutomationId{row.integer(0)};
  out.board = board_of(BoardId{row.integer(1)}).name;
  return out;
}

std::vector<core::Automation> Transaction::automations() {
  std::vector<core::Automation> out;
  for (auto row = db_.query(kAllAutomations); row.step();) out.push_back(automation_of(row));
  return out;
}

std::optional<core::Automation> Transaction::automation(core::AutomationId id) {
  auto row = db_.query(kAutomationById, id);
  if (!row.step()) return std::nullopt;
  return automation_of(row);
}

core::AutomationId Transaction::add(core::Automation automation) {
  before_write();
  auto const* board = board_cache_.board(automation.board);
  if (!board) throw std::logic_error{"an automation was stored on an unknown board"};
  auto row = db_.query(kAutomationAdd, automation.name, board->id, document_of(automation));
  if (!row.step()) throw std::logic_error{"an automation got no number"};
  return core::AutomationId{row.integer(0)};
}

void Transaction::put(core::Automation const& automation) {
  before_write();
  auto const* board = board_cache_.board(automation.board);
  if (!board || !this->automation(automation.id)) throw std::logic_error{"an unknown automation was put"};
  db_.run(kAutomationPut, automation.id, automation.name, board->id, document_of(automation));
}

void Transaction::remove_automation(core::AutomationId id) {
  before_write();
  db_.run(kAutomationRemove, id);
}

std::optional<core::Instant> Transaction::last_touched(core::Board const& board,
                                                       std::vector<std::string> const& columns) {
  auto row = db_.query(kTouched, board.name, reflect::to_json(columns));
  if (!row.step()) return std::nullopt;
  return row.instant(0);
}

}  // namespace andon::store::sqlite
