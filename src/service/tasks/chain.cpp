#include "service/tasks/chain.hpp"

#include "service/tasks/create.hpp"
#include "service/tasks/review.hpp"
#include "service/tasks/task_template.hpp"

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
  return !role.empty() && role == reviewer_of(board) && needs_review(board, work);
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
  child.source = "chain";
  child.approved = true;
  child.state.depth = parent.state.depth + 1;
  return child;
}

}  // namespace

void fire_chain(OperationContext& ctx, core::Task const& parent, core::Board const& board) {
  auto const chain = chain_of(parent, board);
  if (chain.empty() || parent.state.chained) return;
  auto marked = parent;
  marked.state.chained = true;
  ctx.tx.put(marked);
  if (parent.state.depth >= kDeepestChain) {
    core::Event event;
    event.kind = core::EventKind::limit_reached;
    event.board = board.name;
    event.task = parent.id;
    return append_event(ctx, std::move(event),
                        {{"limit", "chain_depth"}, {"most", std::to_string(kDeepestChain)}});
  }
  auto const run = parent.run ? ctx.tx.run(*parent.run) : std::nullopt;
  auto const values = [&](std::string_view name) { return value_of(name, parent, run); };
  for (auto const& next : chain) add_ready(ctx, board, child_of(parent, board, next, values), next.status);
}

}  // namespace andon::service
