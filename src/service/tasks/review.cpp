#include "service/tasks/review.hpp"

#include <algorithm>
#include <array>

#include "core/runs/outcome.hpp"
#include "core/text/names.hpp"
#include "service/tasks/agent_report.hpp"
#include "service/tasks/create.hpp"
#include "service/tasks/place_or_queue.hpp"
#include "service/tasks/task_actions.hpp"

namespace andon::service {
namespace {

using core::Code;
using core::EventKind;
using core::Result;
using core::Stage;

/// Roles whose work is itself a review or a plan.
constexpr std::array<std::string_view, 2> kNotReviewed{"qa", "planner"};
constexpr std::string_view kByRole = "role:";
constexpr std::size_t kReviewTitleBytes = 400;

/// Whether nobody works on a review any more.
bool is_over(Stage stage) { return stage == Stage::done || stage == Stage::failed; }

std::string named(core::Task const& task) {
  return task.key.empty() ? "#" + std::to_string(task.id) : task.key;
}

/// A reviewer who has reported gives no further verdict.
std::optional<core::TaskId> open_review_of(OperationContext& ctx, core::TaskId id) {
  auto const review = ctx.tx.open_review_of(id);
  auto const task = review ? ctx.tx.task(*review) : std::nullopt;
  return task && task->flag != core::kReported ? review : std::nullopt;
}

void ask_for_review(OperationContext& ctx, Change const& change, std::string_view role) {
  auto const& task = change.after;
  if (open_review_of(ctx, task.id)) return;
  auto const id = std::to_string(task.id);
  core::Task review;
  review.title = "Review " + named(task) + ": " + std::string{core::beginning(task.title, kReviewTitleBytes)};
  review.body = "Judge the work on task " + named(task) + ", \"" + task.title +
                "\", against its brief (`andon show " + id + "`).\n\nDecide with `andon accept " + id +
                "` or `andon reject " + id + " --reason TEXT`.\n";
  if (!task.result.empty()) review.body += "\nWhat was reported:\n\n" + task.result + "\n";
  review.board = task.board;
  review.role = role;
  review.priority = task.priority;
  review.parent = task.id;
  review.review = core::ReviewRule::none;
  review.source = "chain";
  review.approved = true;
  review.state.depth = task.state.depth;
  review.state.reviews = task.id;
  review.state.not_for = change.before.claimed_by;
  add_ready(ctx, change.board, std::move(review), {});
}

/// Closes the review task of a reviewed task: the one of the reviewer who gave the verdict is done, one that
/// nobody has begun is archived, and one in work ends by itself.
void close_review(OperationContext& ctx, core::Task const& reviewed) {
  auto const review = ctx.tx.open_review_of(reviewed.id);
  auto const open = review ? ctx.tx.task(*review) : std::nullopt;
  auto const* board = open ? ctx.tx.board(open->board) : nullptr;
  if (!board) return;
  Change change{*open, *open, *board, {}, false, false};
  auto const name = is_run(ctx) ? ctx.caller.run->worker : holder(ctx);
  if (core::is_held_by(*open, name, ctx.now)) {
    auto const words = "gave a verdict on task " + named(reviewed);
    if (is_run(ctx)) {
      keep_report(ctx, change, {"done", {}, words, {}});
      return;
    }
    apply_done(ctx, change);
    save(ctx, change, EventKind::task_completed, {{"verdict", std::string{core::to_text(reviewed.stage)}}});
  } else if (!core::is_in_work(open->stage) && !core::is_claimed(*open, ctx.now)) {
    place(change, Stage::archived, ctx.now);
    save(ctx, change, EventKind::task_archived, {{"reason", "the verdict was given"}});
  }
}

/// A review that ended without a verdict leaves it to a person.
void flag_undecided(OperationContext& ctx, core::TaskId reviewed) {
  auto const task = ctx.tx.task(reviewed);
  auto const* board = task ? ctx.tx.board(task->board) : nullptr;
  if (!board || task->stage != Stage::review || open_review_of(ctx, reviewed)) return;
  Change change{*task, *task, *board, {}, false, false};
  change.after.flag = "no verdict";
  save(ctx, change, EventKind::task_edited, {{"flag", change.after.flag}});
}

Result<void> check_may_judge(OperationContext& ctx, core::TaskId id) {
  if (!is_run(ctx)) return {};
  auto const own = ctx.tx.task(ctx.caller.run->task);
  if (!own || own->state.reviews != id)
    return core::refuse(Code::kForbidden, "a run may judge only the work that its review task is about");
  return core::check_claim(*own, {ctx.caller.run->worker, ctx.caller.run->epoch, false}, ctx.now);
}

}  // namespace

std::string_view reviewer_of(core::Board const& board) {
  std::string_view const by = board.review_by;
  return by.starts_with(kByRole) ? by.substr(kByRole.size()) : std::string_view{};
}

bool needs_review(core::Board const& board, core::Task const& task) {
  if (!core::first_column(board, Stage::review)) return false;
  if (task.review != core::ReviewRule::inherit) return task.review == core::ReviewRule::required;
  return task.role.empty() || (std::ranges::find(kNotReviewed, task.role) == kNotReviewed.end() &&
                               task.role != reviewer_of(board));
}

Result<Change> open_for_verdict(OperationContext& ctx, TaskRef const& ref) {
  ANDON_TRY(auto const named, find_task(ctx, ref));
  auto const id = named.state.reviews != 0 ? named.state.reviews : named.id;
  ANDON_CHECK(check_may_judge(ctx, id));
  return open_foreign(ctx, {std::to_string(id)});
}

void follow_review(OperationContext& ctx, Change const& change) {
  auto const& before = change.before;
  auto const& after = change.after;
  if (after.state.reviews != 0 && is_over(after.stage) && !is_over(before.stage))
    flag_undecided(ctx, after.state.reviews);
  auto const role = reviewer_of(change.board);
  if (role.empty() || (before.stage == Stage::review) == (after.stage == Stage::review)) return;
  if (after.stage != Stage::review)
    close_review(ctx, after);
  else if (needs_review(change.board, after))
    ask_for_review(ctx, change, role);
}

bool has_verdict(OperationContext& ctx, core::Task const& review) {
  auto const task = ctx.tx.task(review.state.reviews);
  return task && (task->stage != Stage::review || open_review_of(ctx, task->id));
}

bool owes_verdict(OperationContext& ctx, core::Task const& task) {
  auto const work = task.state.reviews != 0 ? ctx.tx.task(task.state.reviews) : std::nullopt;
  return work && work->stage == Stage::review && open_review_of(ctx, work->id).value_or(task.id) == task.id;
}

void judge_work(OperationContext& ctx, core::Run const& run) {
  auto const task = ctx.tx.task(run.task);
  auto const* board = task ? ctx.tx.board(task->board) : nullptr;
  if (!board || board->review_by != "checks" || task->stage != Stage::review || task->run != run.id) return;
  bool const is_plain = task->flag.empty() && run.outcome == core::Outcome::succeeded;
  if (!is_plain || !core::are_green(task->checks, run.checks)) return;
  auto engine = as_system(ctx);
  Change change{*task, *task, *board, {}, false, false};
  place_or_queue(engine, change, Stage::done);
  save(engine, change, EventKind::task_accepted, {{"reason", "evidence and every check green"}});
}

}  // namespace andon::service
