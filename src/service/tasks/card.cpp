#include "service/tasks/card.hpp"

#include <algorithm>

#include "core/tasks/claim.hpp"
#include "core/tasks/plan_rule.hpp"
#include "core/text/names.hpp"
#include "service/tasks/kernel/change.hpp"
#include "service/tasks/kernel/unmerged_work.hpp"
#include "service/tasks/kernel/verdict.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

constexpr std::size_t kExcerptBytes = 160;
constexpr std::size_t kFailureBytes = 300;

/// The first words of a brief as plain text of one line, cut between characters.
std::string excerpt_of(std::string_view body) {
  std::string out;
  for (char c : core::beginning(body, kExcerptBytes * 2)) {
    bool const blank = static_cast<unsigned char>(c) <= 0x20;
    if (blank && (out.empty() || out.back() == ' ')) continue;
    if (out.empty() && (c == '#' || c == '-' || c == '*' || c == '>')) continue;
    out += blank ? ' ' : c;
  }
  if (out.size() <= kExcerptBytes) return out;
  return std::string{core::beginning(out, kExcerptBytes)} + "…";
}

CardRun live_run(core::Run const& run) { return {run.id, run.attempt, run.started, run.state, run.worker}; }

std::optional<CardWork> work_of(core::Run const& run) {
  CardWork out{run.diff_size, static_cast<int>(run.checks.size()),
               static_cast<int>(std::ranges::count_if(run.checks, &core::CheckResult::passed)),
               run.usage ? run.usage->cost_usd : std::nullopt};
  return out == CardWork{} ? std::nullopt : std::optional{out};
}

void show_run(OperationContext& ctx, core::Task const& task, Card& card) {
  auto const run = task.run ? ctx.tx.run(*task.run) : std::nullopt;
  if (!run) return;
  if (run->state != core::RunState::ended)
    card.run = live_run(*run);
  else if (core::is_in_review(task.stage))
    card.work = work_of(*run);
  bool const came_back = run->landing && run->landing->state == core::LandingState::returned;
  if (came_back && !core::is_terminal(task.stage)) card.returned = true;
  if (is_asked(*run)) card.landing_asked = true;
}

}  // namespace

Card card_of(OperationContext& ctx, core::Task const& task) {
  Card card;
  static_cast<core::PlainTexts&>(card) = task;
  card.id = task.id;
  card.key = task.key;
  card.rev = task.rev;
  card.title = task.title;
  card.status = task.status;
  card.stage = task.stage;
  card.priority = task.priority;
  card.class_ = task.class_;
  card.rank = task.rank;
  card.assignee = task.assignee;
  card.role = task.role;
  card.tags = task.tags;
  card.due = task.due;
  card.parent = task.parent;
  if (task.blocked) card.blocked = true;
  card.block_reason = task.block_reason;
  card.question = task.question;
  if (core::is_claimed(task, ctx.now)) {
    card.claimed_by = task.claimed_by;
    card.claim_expires = task.claim_expires;
  }
  card.epoch = task.epoch;
  card.attempt = task.attempt;
  card.max_attempts = task.max_attempts;
  card.not_before = task.not_before;
  card.failure = core::beginning(task.state.last_failure, kFailureBytes);
  if (task.approved) card.approved = true;
  card.flag = task.flag;
  card.remark = task.state.remark;
  card.open_deps = task.state.open_deps;
  card.deps = static_cast<std::int64_t>(task.depends_on.size());
  card.children = ctx.tx.progress(task.id);
  card.notes = task.state.notes;
  card.attachments = static_cast<std::int64_t>(task.attachments.size());
  if (core::waits_with_plan(task)) card.plan_state = task.plan_state;
  show_run(ctx, task, card);
  if (auto const* board = ctx.tx.board(task.board); board && has_reviewer(ctx, *board, task))
    card.has_reviewer = true;
  card.spent = spending_of(ctx, task);
  card.entered = task.state.entered;
  card.created = task.created;
  card.updated = task.updated;
  card.excerpt = excerpt_of(ctx.tx.body(task.id).value_or(""));
  return card;
}

}  // namespace andon::service
