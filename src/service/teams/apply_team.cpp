#include <algorithm>
#include <set>

#include "service/tasks/kernel/change.hpp"
#include "service/teams/team.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

using core::Code;
using core::Result;
using enum TeamAction;

/// The refusal of one thing of the request, with the place of that thing.
std::unexpected<core::Error> within(core::Error error, std::string const& place) {
  error.field = place + (error.field.empty() ? "" : "/" + error.field);
  return core::refuse(std::move(error));
}

template <class Item>
Result<void> check_names(std::vector<Item> const& items, std::string const& list) {
  std::set<std::string_view> seen;
  for (std::size_t i = 0; i < items.size(); ++i)
    if (!seen.insert(items[i].name).second)
      return core::refuse(Code::kInvalidInput, "\"" + items[i].name + "\" stands twice in \"" + list + "\"",
                          list + "/" + std::to_string(i) + "/name");
  return {};
}

template <class Item>
bool is_named(std::vector<Item> const& items, std::string const& name) {
  return std::ranges::find(items, name, &Item::name) != items.end();
}

template <class Request>
Request request_of(TeamBoard const& wanted) {
  Request out;
  static_cast<BoardPolicies&>(out) = wanted;
  return out;
}

Result<std::optional<TeamChange>> make_board(OperationContext& ctx, TeamBoard const& wanted) {
  auto request = request_of<CreateBoardRequest>(wanted);
  request.name = wanted.name;
  if (wanted.template_) request.template_ = *wanted.template_;
  ANDON_TRY(auto const made, create_board(ctx, request));
  TeamBoard blank;
  blank.name = wanted.name;
  return TeamChange{"board", wanted.name, create, {}, differences_of(blank, described(made))};
}

Result<std::optional<TeamChange>> change_board(OperationContext& ctx, core::Board const& before,
                                               TeamBoard const& wanted) {
  if (wanted.template_ && *wanted.template_ != before.template_)
    return core::refuse(Code::kInvalidInput,
                        "board \"" + before.name + "\" was made from the template " + before.template_ +
                            ", and that cannot be changed; say what shall be different instead",
                        "template");
  auto request = request_of<EditBoardRequest>(wanted);
  request.board = before.name;
  request.move_tasks = wanted.move_tasks;
  if (before.archived) request.archived = false;
  ANDON_TRY(auto const after, edited(ctx, before, request));
  auto found = differences_of(described(before), described(after));
  if (before.archived) found.push_back({"archived", true, false});
  if (found.empty()) return std::nullopt;
  ANDON_CHECK(edit_board(ctx, request));
  return TeamChange{"board", before.name, change, {}, std::move(found)};
}

Result<std::optional<TeamChange>> apply_one(OperationContext& ctx, TeamBoard const& wanted) {
  auto const* found = ctx.tx.board(wanted.name);
  if (!found || found->name != wanted.name) return make_board(ctx, wanted);
  auto const before = *found;
  return change_board(ctx, before, wanted);
}

Result<std::optional<TeamChange>> apply_one(OperationContext& ctx, PutWorkerRequest const& wanted) {
  auto const* before = ctx.tx.worker(wanted.name);
  if (!before) {
    ANDON_TRY(auto const made, add_worker(ctx, wanted));
    PutWorkerRequest blank;
    blank.name = wanted.name;
    return TeamChange{"worker", wanted.name, create, {}, differences_of(blank, described(made))};
  }
  ANDON_TRY(auto const after, with_settings(ctx, *before, wanted));
  auto found = differences_of(described(*before), described(after));
  if (found.empty()) return std::nullopt;
  ANDON_CHECK(edit_worker(ctx, wanted));
  return TeamChange{"worker", wanted.name, change, {}, std::move(found)};
}

core::Automation const* find_named(std::vector<core::Automation> const& all, std::string const& name) {
  auto const found = std::ranges::find(all, name, &core::Automation::name);
  return found == all.end() ? nullptr : &*found;
}

EditAutomationRequest edit_of(AddAutomationRequest const& wanted) {
  EditAutomationRequest out;
  out.id = {wanted.name};
  out.kind = wanted.kind;
  if (!wanted.cron.empty()) out.cron = wanted.cron;
  out.tz = wanted.tz;
  out.after = wanted.after;
  out.template_ = wanted.template_;
  out.enabled = wanted.enabled;
  return out;
}

/// Puts the described members over the existing ones.
AddAutomationRequest over(AddAutomationRequest before, AddAutomationRequest const& wanted) {
  if (wanted.kind) before.kind = wanted.kind;
  if (!wanted.cron.empty()) before.cron = wanted.cron;
  if (wanted.tz) before.tz = wanted.tz;
  if (wanted.after) before.after = wanted.after;
  if (wanted.enabled) before.enabled = wanted.enabled;
  before.template_ = wanted.template_;
  return before;
}

Result<std::optional<TeamChange>> apply_one(OperationContext& ctx, AddAutomationRequest const& wanted) {
  auto const all = ctx.tx.automations();
  auto const* before = find_named(all, wanted.name);
  if (!before) {
    ANDON_TRY(auto const made, add_automation(ctx, wanted));
    AddAutomationRequest blank;
    blank.name = wanted.name;
    return TeamChange{"automation", wanted.name, create, {}, differences_of(blank, described(made))};
  }
  if (!wanted.board.empty() && wanted.board != before->board)
    return core::refuse(Code::kInvalidInput,
                        "automation \"" + wanted.name + "\" is on board " + before->board +
                            ", and that cannot be changed; give the new one another name",
                        "board");
  auto const was = described(*before);
  if (differences_of(was, over(was, wanted)).empty()) return std::nullopt;
  ANDON_TRY(auto const after, edit_automation(ctx, edit_of(wanted)));
  return TeamChange{"automation", wanted.name, change, {}, differences_of(was, described(after))};
}

template <class Item>
Result<void> apply_all(OperationContext& ctx, std::optional<std::vector<Item>> const& items,
                       std::string const& list, TeamChanges& out) {
  if (!items) return {};
  ANDON_CHECK(check_names(*items, list));
  for (std::size_t i = 0; i < items->size(); ++i) {
    auto applied = apply_one(ctx, (*items)[i]);
    if (!applied) return within(std::move(applied).error(), list + "/" + std::to_string(i));
    if (*applied) out.changes.push_back(**std::move(applied));
  }
  return {};
}

/// The reason why a worker has to stay; empty when it may be removed.
std::string hold_on(OperationContext& ctx, core::Worker const& worker) {
  for (auto const& run : ctx.tx.live_runs())
    if (run.worker == worker.name) return "it works on task #" + std::to_string(run.task);
  auto const held = ctx.tx.claims_of(worker.name, ctx.now);
  return held.empty() ? "" : "it holds task #" + std::to_string(held.front());
}

std::string hold_on(OperationContext& ctx, core::Board const& board) {
  if (ctx.caller.role < Role::admin) return "only the administrator may remove a board";
  std::int64_t tasks = 0;
  for (auto const& [column, count] : ctx.tx.load(board.id).columns) tasks += count;
  if (tasks == 0) return {};
  return tasks == 1 ? "it has a task" : "it has " + std::to_string(tasks) + " tasks";
}

Result<void> prune_workers(OperationContext& ctx, std::vector<PutWorkerRequest> const& named,
                           TeamChanges& out) {
  for (auto const& worker : ctx.tx.workers()) {
    if (is_named(named, worker.name)) continue;
    auto reason = hold_on(ctx, worker);
    if (reason.empty()) ANDON_CHECK(remove_worker(ctx, {worker.name}));
    out.changes.push_back({"worker", worker.name, reason.empty() ? remove : keep, std::move(reason), {}});
  }
  return {};
}

Result<void> prune_automations(OperationContext& ctx, std::vector<AddAutomationRequest> const& named,
                               TeamChanges& out) {
  for (auto const& automation : ctx.tx.automations()) {
    if (is_named(named, automation.name)) continue;
    ANDON_CHECK(remove_automation(ctx, {{automation.name}}));
    out.changes.push_back({"automation", automation.name, remove, {}, {}});
  }
  return {};
}

Result<void> prune_boards(OperationContext& ctx, std::vector<TeamBoard> const& named, TeamChanges& out) {
  for (auto const* found : ctx.tx.boards()) {
    if (found->archived || is_named(named, found->name)) continue;
    auto const board = *found;
    auto reason = hold_on(ctx, board);
    if (reason.empty()) ANDON_CHECK(delete_board(ctx, {board.name}));
    out.changes.push_back({"board", board.name, reason.empty() ? remove : keep, std::move(reason), {}});
  }
  return {};
}

bool writes(TeamChange const& change) { return change.action != keep; }

}  // namespace

Result<TeamChanges> apply_team(OperationContext& ctx, ApplyTeamRequest const& r) {
  TeamChanges out;
  ANDON_CHECK(apply_all(ctx, r.boards, "boards", out));
  ANDON_CHECK(apply_all(ctx, r.workers, "workers", out));
  ANDON_CHECK(apply_all(ctx, r.automations, "automations", out));
  if (r.prune && r.automations) ANDON_CHECK(prune_automations(ctx, *r.automations, out));
  if (r.prune && r.workers) ANDON_CHECK(prune_workers(ctx, *r.workers, out));
  if (r.prune && r.boards) ANDON_CHECK(prune_boards(ctx, *r.boards, out));
  ctx.dry_run = r.dry_run || std::ranges::none_of(out.changes, writes);
  return out;
}

}  // namespace andon::service
