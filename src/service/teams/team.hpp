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
BOOST_DESCRIBE_STRUCT(TeamBoard, (BoardPolicies), (name, template_, move_tasks))
inline constexpr auto kTeamBoardFields = core::joined(
    kBoardPolicyFields,
    std::array{core::Field{"name", "Short name used in commands and addresses", core::required},
               core::Field{"template", "classic, queue or flow; what a new board starts from"},
               core::Field{"move_tasks", "For each column that goes: the column its tasks move to"}});
constexpr auto const& fields(TeamBoard const*) { return kTeamBoardFields; }

/// Boards, workers and automations as files describe them. A kind of thing that is not there is not the
/// files' business.
struct Team {
  std::optional<std::vector<TeamBoard>> boards;
  std::optional<std::vector<PutWorkerRequest>> workers;
  std::optional<std::vector<AddAutomationRequest>> automations;
};
BOOST_DESCRIBE_STRUCT(Team, (), (boards, workers, automations))
inline constexpr std::array<core::Field, 3> kTeamFields{
    core::Field{"boards", "Boards with their columns, classes, policies and chains"},
    core::Field{"workers", "Workers with their roles, agents and role documents"},
    core::Field{"automations", "Rules that make tasks on a schedule or when the queue is dry"}};
constexpr auto const& fields(Team const*) { return kTeamFields; }

struct ApplyTeamRequest : Team {
  bool dry_run = false;
  bool prune = false;
};
BOOST_DESCRIBE_STRUCT(ApplyTeamRequest, (Team), (dry_run, prune))
inline constexpr auto kApplyTeamFields = core::joined(
    kTeamFields, std::array{core::Field{"dry_run", "Only tell what would change", core::set_only},
                            core::Field{"prune", "Remove what is not named, of the kinds that are there",
                                        core::set_only}});
constexpr auto const& fields(ApplyTeamRequest const*) { return kApplyTeamFields; }

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
BOOST_DESCRIBE_STRUCT(TeamChange, (), (what, name, action, reason, fields))
inline constexpr std::array kTeamChangeFields{
    core::Field{"what", "board, worker or automation", core::always},
    core::Field{"name", "Its name", core::always},
    core::Field{"action", "create, change, remove or keep", core::always},
    core::Field{"reason", "Why it stays although it is not named"}, core::Field{"fields", "What differs"}};
constexpr auto const& fields(TeamChange const*) { return kTeamChangeFields; }

struct TeamChanges {
  std::vector<TeamChange> changes;
};
BOOST_DESCRIBE_STRUCT(TeamChanges, (), (changes))
inline constexpr std::array kTeamChangesFields{
    core::Field{"changes", "What differs; empty when nothing does", core::always}};
constexpr auto const& fields(TeamChanges const*) { return kTeamChangesFields; }

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
