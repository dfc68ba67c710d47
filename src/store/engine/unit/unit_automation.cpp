#include <stdexcept>

#include "reflect/json.hpp"
#include "store/engine/driver.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::store::engine {
namespace {}  // namespace

std::vector<core::Automation> Unit::automations_in(RecordsQuery const& query) {
  std::vector<core::Automation> out;
  for (auto& [automation, board] : records(query).automations) {
    automation.board = board_of(board).name;
    out.push_back(std::move(automation));
  }
  return out;
}

std::vector<core::Automation> Unit::automations() {
  return automations_in({.kind = RecordsQuery::Kind::automations});
}

std::optional<core::Automation> Unit::automation(core::AutomationId id) {
  if (id == 0) return std::nullopt;
  auto found = automations_in({.kind = RecordsQuery::Kind::automations, .number = id});
  return found.empty() ? std::nullopt : std::optional{std::move(found.front())};
}

core::AutomationId Unit::add(core::Automation automation) {
  before_write();
  auto const* board = board_cache_.board(automation.board);
  if (!board) throw std::logic_error{"an automation was stored on an unknown board"};
  automation.id = core::AutomationId{++numbers_->automation};
  auto const id = automation.id;
  session_.write({.records = {.automations = {{std::move(automation), board->id}}}});
  return id;
}

void Unit::put(core::Automation const& automation) {
  before_write();
  auto const* board = board_cache_.board(automation.board);
  if (!board || !this->automation(automation.id)) throw std::logic_error{"an unknown automation was put"};
  session_.write({.records = {.automations = {{automation, board->id}}}});
}

void Unit::remove_automation(core::AutomationId id) {
  before_write();
  session_.write({.automations_removed = {id}});
}

std::optional<core::Instant> Unit::last_touched(core::Board const& board,
                                                std::vector<std::string> const& columns) {
  return session_.statistics(AskLastMove{board.name, columns}).last_move;
}

}  // namespace andon::store::engine
