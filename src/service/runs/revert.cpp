#include "service/runs/revert.hpp"

#include <algorithm>
#include <set>

#include "service/check_text.hpp"
#include "service/tasks/kernel/claims.hpp"
#include "service/tasks/kernel/transition.hpp"
#include "service/tasks/kernel/unmerged_work.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

using core::Code;
using core::LandingState;
using core::Result;
using core::Stage;

constexpr std::size_t kMostFollowers = 1'000;
constexpr std::size_t kMostNamed = 20;
constexpr std::size_t kMostRecentRuns = 5'000;

std::string label_of(core::Task const& task) {
  return (task.key.empty() ? "#" + std::to_string(task.id) : task.key) + " \"" + task.title + "\"";
}

std::string joined(std::vector<std::string> const& words) {
  std::string out;
  for (std::size_t i = 0; i < std::min(words.size(), kMostNamed); ++i) out += (i == 0 ? "" : ", ") + words[i];
  if (words.size() > kMostNamed) out += " and " + std::to_string(words.size() - kMostNamed) + " more";
  return out;
}

std::unexpected<core::Error> refusal(core::Task const& task, std::string const& why) {
  return core::refuse(core::Error{
      Code::kConflict, label_of(task) + " " + why, "id", {}, std::make_shared<core::Task const>(task)}
                          .with("id", task.id));
}

/// The tasks that depend on the task, its sub-tasks and chain, and those that follow from them; ordered by
/// number. Nothing when there are too many to look at.
std::optional<std::set<core::TaskId>> followers_of(OperationContext& ctx, core::TaskId task) {
  std::set<core::TaskId> out{task};
  std::vector<core::TaskId> open{task};
  while (!open.empty()) {
    auto const id = open.back();
    open.pop_back();
    for (auto const& found : {ctx.tx.dependents(id), ctx.tx.children(id)})
      for (auto const other : found)
        if (out.insert(other).second) open.push_back(other);
    if (out.size() > kMostFollowers) return std::nullopt;
  }
  out.erase(task);
  return out;
}

bool waits_to_be_landed(OperationContext& ctx, core::Task const& task) {
  auto const run = task.run ? ctx.tx.run(*task.run) : std::nullopt;
  if (!run || !run->landing) return false;
  return run->landing->state == LandingState::waiting || run->landing->state == LandingState::asked;
}

/// Why a task stands in the way of taking back the work it follows from; empty when it does not.
std::string why_in_the_way(OperationContext& ctx, core::Task const& task) {
  if (waits_to_be_landed(ctx, task)) return "its work waits to be landed";
  if (!landed_runs(ctx, task.id).empty()) return "its work has landed";
  bool const is_open = core::is_in_work(task.stage) || core::is_in_review(task.stage);
  if (has_live_run(ctx, task) || is_open) return "it is in work";
  return {};
}

Result<void> check_followers(OperationContext& ctx, core::Task const& task) {
  auto const followers = followers_of(ctx, task.id);
  if (!followers)
    return refusal(task, "has more than " + std::to_string(kMostFollowers) +
                             " tasks that follow from it; take its work back by hand (git revert)");
  std::vector<std::string> names;
  for (auto const id : *followers) {
    auto const other = ctx.tx.task(id);
    auto const why = other ? why_in_the_way(ctx, *other) : std::string{};
    if (!why.empty()) names.push_back(label_of(*other) + " (" + why + ")");
  }
  if (names.empty()) return {};
  return refusal(task, "cannot be taken back while tasks that follow from it stand in the way: " +
                           joined(names) + "; take back or stop those first, the newest first");
}

Result<void> check_task(OperationContext& ctx, core::Task const& task) {
  if (auto const run = run_being_reverted(ctx, task.id))
    return refusal(task, "waits to be taken back already; see what it waits for with: andon work list");
  if (waits_to_be_landed(ctx, task))
    return refusal(task, "is not landed yet; to stop that, move the task back to a ready column");
  if (has_live_run(ctx, task) || core::is_in_work(task.stage) || core::is_in_review(task.stage))
    return refusal(task,
                   "is in work; end that first, with a verdict or: andon kill " + std::to_string(task.id));
  if (!core::is_terminal(task.stage))
    return refusal(task, "is open again; move it to a column for finished work first, then take it back");
  return {};
}

/// Why nothing of the task is on the default branch.
std::string why_nothing(OperationContext& ctx, core::Task const& task, core::Board const& board) {
  auto const runs = ctx.tx.runs_of(task.id);
  bool const was_reverted = std::ranges::any_of(runs, [](core::Run const& run) {
    return run.revert && run.revert->state == core::RevertState::reverted;
  });
  if (was_reverted) return "was taken back already; nothing of it has landed since";
  if (!lands(board))
    return "was not landed by the server, because its board lands nothing; take it back by hand (git revert)";
  return "has no work that the server landed, so there is nothing to take back; what a person brought to the "
         "default branch is taken back by hand (git revert)";
}

Result<void> check_landings(OperationContext& ctx, core::Task const& task,
                            std::vector<core::Run> const& runs) {
  ANDON_TRY(auto const* board, board_of(ctx, task));
  if (runs.empty()) return refusal(task, why_nothing(ctx, task, *board));
  if (board->repo.empty())
    return refusal(task,
                   "cannot be taken back, because its board has no repository any more; set it with: "
                   "andon boards edit " +
                       board->name + " --repo DIRECTORY");
  for (auto const& run : runs) {
    auto const& landing = *run.landing;
    if (landing.commit.empty() || landing.onto.empty() || landing.commit == landing.onto)
      return refusal(task,
                     "was on the default branch before the server landed it, so it is not known what to take "
                     "back; take it back by hand (git revert)");
  }
  return {};
}

/// The open tasks that follow from the task, and what becomes of them.
std::vector<std::string> warnings_of(OperationContext& ctx, core::Task const& task, core::AfterRevert then) {
  std::vector<std::string> names;
  if (then == core::AfterRevert::close)
    for (auto const id : ctx.tx.dependents(task.id))
      if (auto const other = ctx.tx.task(id); other && !core::is_terminal(other->stage))
        names.push_back(label_of(*other));
  if (names.empty()) return {};
  return {"waiting no longer for work that is taken back: " + joined(names) + "; look at their briefs"};
}

std::string notice_of(core::AfterRevert then) {
  return then == core::AfterRevert::reopen
             ? "It waits in the landing queue. When its work is taken back, the task is open again."
             : "It waits in the landing queue. When its work is taken back, the task is archived.";
}

}  // namespace

Result<void> check_revert(OperationContext& ctx, core::Task const& task) {
  if (is_run(ctx) || !acting_worker(ctx).empty())
    return core::refuse(Code::kForbidden, "an agent cannot take landed work back; ask a person");
  auto const runs = landed_runs(ctx, task.id);
  if (!runs.empty()) ANDON_CHECK(check_task(ctx, task));
  return check_landings(ctx, task, runs);
}

Result<core::Task> revert_task(OperationContext& ctx, RevertRequest const& r) {
  if (!r.reason.empty()) ANDON_CHECK(check_text(r.reason, "reason", kNoteBytes));
  ANDON_TRY(auto change, open(ctx, r.id));
  ANDON_CHECK(check_revert(ctx, change.before));
  ANDON_CHECK(check_followers(ctx, change.before));
  auto const by = core::to_text(ctx.caller.actor);
  queue_revert(ctx, landed_runs(ctx, change.before.id).front(),
               core::Revert{core::RevertState::waiting, r.then, by, r.reason, {}, {}, {}, ctx.now});
  Facts facts{{"revert", "asked"},
              {"then", std::string{core::kAfterRevertNames[static_cast<std::size_t>(r.then)]}}};
  if (!r.reason.empty()) facts.emplace_back("reason", r.reason);
  write(ctx, change, core::EventKind::task_edited, facts);
  auto out = shown(ctx, change.after);
  out.children = ctx.tx.progress(out.id);
  out.notice = notice_of(r.then);
  out.warnings = warnings_of(ctx, out, r.then);
  return out;
}

Result<LandedWorks> landed_work(OperationContext& ctx, LandedWorkRequest const& r) {
  LandedWorks out;
  for (auto& run : ctx.tx.recent_runs(kMostRecentRuns)) {
    bool const is_landed = run.landing && run.landing->state == LandingState::landed;
    if (run.board != r.board || !is_landed) continue;
    auto const task = ctx.tx.task(run.task);
    out.items.push_back({run.task, task ? task->title : "", *std::move(run.landing), std::move(run.revert)});
  }
  return out;
}

}  // namespace andon::service
