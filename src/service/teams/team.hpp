#pragma once

#include "service/automations/automations.hpp"
#include "service/boards/boards.hpp"
#include "service/difference.hpp"
#include "service/workers/workers.hpp"

namespace andon::service {

/// A board as a file describes it. What is not said stays as it is; a new board has it from its template.
struct TeamBoard : BoardPolicies {
  std::string name;
  std::optional<std::string> template_;
  std::map<std::string, std::string> move_tasks;
};
void describe(auto& field, TeamBoard const* extended) {
  describe(field, static_cast<BoardPolicies const*>(extended));
  field(&TeamBoard::name, "name", "Short name used in commands and addresses", core::required);
  field(&TeamBoard::template_, "template", "classic, queue or flow; what a new board starts from");
  field(&TeamBoard::move_tasks, "move_tasks", "For each column that goes: the column its tasks move to");
}

/// Boards, workers and automations as files describe them. A kind of thing that is not there is not the
/// files' business.
struct Team {
  std::optional<std::vector<TeamBoard>> boards;
  std::optional<std::vector<PutWorkerRequest>> workers;
  std::optional<std::vector<AddAutomationRequest>> automations;
};
void describe(auto& field, Team const*) {
  field(&Team::boards, "boards", "Boards with their columns, classes, policies and chains");
  field(&Team::workers, "workers", "Workers with their roles, agents and role documents");
  field(&Team::automations, "automations", "Rules that make tasks on a schedule or when the queue is dry");
}

struct ApplyTeamRequest : Team {
  bool dry_run = false;
  bool prune = false;
};
void describe(auto& field, ApplyTeamRequest const* extended) {
  describe(field, static_cast<Team const*>(extended));
  field(&ApplyTeamRequest::dry_run, "dry_run", "Only tell what would change", core::set_only);
  field(&ApplyTeamRequest::prune, "prune", "Remove what is not named, of the kinds that are there",
        core::set_only);
}

enum class TeamAction {
  create,
  change,
  remove,
  keep  ///< it is not named and should go, but may not
};
inline constexpr std::array<std::string_view, 4> kTeamActionNames{"create", "change", "remove", "keep"};
constexpr auto const& wire_names(TeamAction) { return kTeamActionNames; }

struct TeamChange {
  std::string what;
  std::string name;
  TeamAction action = TeamAction::change;
  std::string reason;
  std::vector<FieldChange> fields;
};
void describe(auto& field, TeamChange const*) {
  field(&TeamChange::what, "what", "board, worker or automation", core::always);
  field(&TeamChange::name, "name", "Its name", core::always);
  field(&TeamChange::action, "action", "create, change, remove or keep", core::always);
  field(&TeamChange::reason, "reason", "Why it stays although it is not named");
  field(&TeamChange::fields, "fields", "What differs");
}

struct TeamChanges {
  std::vector<TeamChange> changes;
};
void describe(auto& field, TeamChanges const*) {
  field(&TeamChanges::changes, "changes", "What differs; empty when nothing does", core::always);
}

/// Makes boards, workers and automations as they are described: all of it or nothing. Applied again it
/// changes nothing.
core::Result<TeamChanges> apply_team(OperationContext& ctx, ApplyTeamRequest const& request);
/// The team as `apply_team` takes it. Applied to an empty store it gives the same team.
core::Result<Team> export_team(OperationContext& ctx, NoRequest const&);

/// Each of them as files describe it.
TeamBoard described(core::Board const& board);
PutWorkerRequest described(core::Worker const& worker);
AddAutomationRequest described(core::Automation const& automation);

}  // namespace andon::service
