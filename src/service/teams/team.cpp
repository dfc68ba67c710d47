#include "service/teams/team.hpp"

#include "core/boards/templates.hpp"
#include "service/tasks/kernel/change.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

namespace json = boost::json;

template <class T>
json::object object_of(T const& value) {
  return reflect::parse_json(reflect::to_json(value)).value().as_object();
}

json::value nothing_like(json::value const& value) {
  switch (value.kind()) {
    case json::kind::string: return json::value("");
    case json::kind::array: return json::array{};
    case json::kind::object: return json::object{};
    case json::kind::bool_: return false;
    default: return 0;
  }
}

}  // namespace

/// A board as a team file describes it. Members that its template has and the board does not are written as
/// empty, because a file without them would bring them back.
TeamBoard described(core::Board const& given) {
  auto board = given;
  std::erase_if(board.columns, [](core::Column const& column) { return !column.goes_to.empty(); });
  auto object = object_of(board);
  if (auto const from = core::board_from_template(board.template_))
    for (auto const& [key, value] : object_of(*from))
      if (!object.contains(key)) object.emplace(key, nothing_like(value));
  return reflect::from_json<TeamBoard>(object, reflect::Unknown::ignore).value();
}

PutWorkerRequest described(core::Worker const& worker) {
  return reflect::from_json<PutWorkerRequest>(object_of(worker), reflect::Unknown::ignore).value();
}

AddAutomationRequest described(core::Automation const& automation) {
  auto out =
      reflect::from_json<AddAutomationRequest>(object_of(automation), reflect::Unknown::ignore).value();
  if (automation.kind == core::AutomationKind::cron) out.after.reset();
  return out;
}

core::Result<Team> export_team(OperationContext& ctx, NoRequest const&) {
  Team out;
  out.boards.emplace();
  out.workers.emplace();
  out.automations.emplace();
  for (auto const* board : ctx.tx.boards())
    if (!board->archived) out.boards->push_back(described(*board));
  for (auto const& worker : ctx.tx.workers()) out.workers->push_back(described(worker));
  for (auto const& automation : ctx.tx.automations()) out.automations->push_back(described(automation));
  return out;
}

}  // namespace andon::service
