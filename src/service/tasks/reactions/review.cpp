#include "service/tasks/reactions/review.hpp"

#include "core/tasks/plan_rule.hpp"
#include "core/tasks/review_rule.hpp"
#include "core/tasks/work_state.hpp"
#include "core/text/names.hpp"
#include "service/tasks/kernel/agent_report.hpp"
#include "service/tasks/kernel/engine_act.hpp"
#include "service/tasks/kernel/new_task.hpp"
#include "service/tasks/kernel/verdict.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

using core::EventKind;
using core::Stage;

constexpr std::size_t kReviewTitleBytes = 400;

/// Whether nobody works on a review any more.
bool is_over(Stage stage) { return stage == Stage::done || stage == Stage::failed; }

std::string named(core::Task const& task) {
  return task.key.empty() ? "#" + std::to_string(task.id) : task.key;
}

core::Task review_of(core::Task const& task, core::Board const& board) {
  auto const id = std::to_string(task.id);
  core::Task review;
  review.title = "Review " + named(task) + ": " + std::string{core::beginning(task.title, kReviewTitleBytes)};
  review.body = "Judge the work on task " + named(task) + ", \"" + task.title +
                "\", against its brief (`andon show " + id + "`).\n\nDecide with `andon accept " + id +
                "` or `andon reject " + id + " --reason TEXT`.\n";
  if (!task.result.empty()) review.body += "\nWhat was reported:\n\n" + task.result + "\n";
  review.board = task.board;
  review.role = core::reviewer_of(board);
  review.priority = task.priority;
  review.parent = task.id;
  review.review = core::ReviewRule::none;
  review.source = to_text(core::Source::chain);
  review.approved = true;
  review.state.depth = task.state.depth;
  review.state.reviews = task.id;
  return review;
}

/// The reviewer gave the verdict: a person's review is done, and an agent's is reported.
Step end_review(OperationContext& ctx, Change review, core::Task const& reviewed) {
  if (is_run(ctx)) {
    Report const report{core::AgentReport::done, {}, "gave a verdict on task " + named(reviewed), {}};
    if (!write_report(ctx, review, report)) return {};
  } else {
    auto const kind = apply(ctx, review, core::Verb::complete);
    write(ctx, review, kind, {{"verdict", std::string{core::to_text(reviewed.stage)}}});
  }
  return {std::move(review)};
}

}  // namespace

void order_review(OperationContext& /*ctx*/, Change const& change, Orders& orders) {
  auto const &before = change.before, &after = change.after;
  if (after.state.reviews != 0 && is_over(after.stage) && !is_over(before.stage))
    orders.push_back({Reaction::flag_undecided, after.state.reviews});
  bool const was_in_review = core::is_in_review(before.stage);
  bool const is_in_review = core::is_in_review(after.stage);
  if (core::reviewer_of(change.board).empty() || was_in_review == is_in_review) return;
  if (was_in_review)
    orders.push_back({Reaction::close_review, after.id});
  else if (core::needs_review(change.board, after) && !core::has_open_plan(after))
    orders.push_back({Reaction::ask_for_review, after.id, nullptr, 0, before.claimed_by});
}

Step ask_for_review(OperationContext& ctx, Order const& order) {
  auto const work = load_change(ctx, order.task);
  if (!work || open_review_of(ctx, order.task)) return {};
  auto review = review_of(work->before, work->board);
  review.state.not_for = order.not_for;
  return {added(store_ready_task(ctx, work->board, std::move(review), {}), work->board)};
}

Step close_review(OperationContext& ctx, Order const& order) {
  auto const reviewed = ctx.tx.task(order.task);
  auto const id = ctx.tx.open_review_of(order.task);
  auto review = reviewed && id ? load_change(ctx, *id) : std::nullopt;
  if (!review) return {};
  auto const& open = review->before;
  auto const name = is_run(ctx) ? ctx.caller.run->worker : holder(ctx);
  if (core::is_held_by(open, name, ctx.now)) return end_review(ctx, *std::move(review), *reviewed);
  if (core::is_in_work(open.stage) || core::is_claimed(open, ctx.now)) return {};
  place(*review, Stage::archived, ctx.now);
  write(ctx, *review, EventKind::task_archived, {{"reason", "the verdict was given"}});
  return {std::move(review)};
}

Step flag_undecided(OperationContext& ctx, Order const& order) {
  auto work = load_change(ctx, order.task);
  if (!work || !core::is_in_review(work->before.stage) || open_review_of(ctx, order.task)) return {};
  core::remark(work->after, core::WorkRemark::no_verdict);
  write(ctx, *work, EventKind::task_edited, {{"flag", work->after.flag}});
  return {std::move(work)};
}

}  // namespace andon::service
