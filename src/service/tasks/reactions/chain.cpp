#include "service/tasks/reactions/chain.hpp"

#include "core/tasks/review_rule.hpp"
#include "service/tasks/kernel/new_task.hpp"
#include "service/tasks/kernel/task_template.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

std::string joined(std::vector<std::string> const& words) {
  std::string out;
  for (auto const& word : words) out += (out.empty() ? "" : " ") + word;
  return out;
}

std::optional<std::string> value_of(std::string_view name, core::Task const& parent,
                                    std::optional<core::Run> const& run) {
  if (name == "parent.id") return std::to_string(parent.id);
  if (name == "parent.key") return parent.key.empty() ? "#" + std::to_string(parent.id) : parent.key;
  if (name == "parent.title") return parent.title;
  if (name == "parent.result") return parent.result;
  if (name == "parent.branch") return run ? run->branch : "";
  if (name == "parent.commits") return run ? joined(run->commits) : "";
  return std::nullopt;
}

/// Whether the role that a rule asks has judged the work already.
bool has_judged(std::string_view role, core::Task const& work, core::Board const& board) {
  return !role.empty() && role == core::reviewer_of(board) && core::needs_review(board, work);
}

std::vector<core::NextTask> chain_of(core::Task const& task, core::Board const& board) {
  if (!task.next_tasks.empty()) return task.next_tasks;
  std::vector<core::NextTask> out;
  for (auto const& rule : board.chains) {
    bool const is_about = rule.role.empty() || rule.role == task.role;
    if (is_about && !has_judged(rule.next.role, task, board)) out.push_back(rule.next);
  }
  return out;
}

core::Task child_of(core::Task const& parent, core::Board const& board, core::NextTask const& next,
                    core::ValueOf const& values) {
  auto child = task_from(next, board, values);
  child.parent = parent.id;
  child.source = to_text(core::Source::chain);
  child.approved = true;
  child.state.depth = parent.state.depth + 1;
  return child;
}

void mark_chained(OperationContext& ctx, core::Task parent) {
  parent.state.chained = true;
  ctx.tx.put(parent);
}

void tell_too_deep(OperationContext& ctx, core::Task const& parent) {
  core::Event event;
  event.kind = core::EventKind::limit_reached;
  event.board = parent.board;
  event.task = parent.id;
  append_event(ctx, std::move(event), {{"limit", "chain_depth"}, {"most", std::to_string(kDeepestChain)}});
}

}  // namespace

void order_chain(OperationContext& /*ctx*/, Change const& change, Orders& orders) {
  auto const &before = change.before, &after = change.after;
  bool const is_finished_now = core::is_done(after.stage) && !core::is_done(before.stage);
  if (is_finished_now && !after.state.chained && !chain_of(after, change.board).empty())
    orders.push_back({Reaction::add_next, after.id});
}

Step add_next(OperationContext& ctx, Order const& order) {
  auto const parent = ctx.tx.task(order.task);
  auto const* board = parent ? ctx.tx.board(parent->board) : nullptr;
  if (!board) return {};
  if (order.done == 0) {
    if (parent->state.chained) return {};
    mark_chained(ctx, *parent);
    if (parent->state.depth >= kDeepestChain) return tell_too_deep(ctx, *parent), Step{};
  }
  auto const chain = chain_of(*parent, *board);
  if (order.done >= chain.size()) return {};
  auto const& next = chain[order.done];
  auto const run = parent->run ? ctx.tx.run(*parent->run) : std::nullopt;
  auto const values = [&](std::string_view name) { return value_of(name, *parent, run); };
  auto const child = store_ready_task(ctx, *board, child_of(*parent, *board, next, values), next.status);
  return {added(child, *board), order.done + 1 < chain.size()};
}

}  // namespace andon::service
