#include "service/insight/dependency_graph.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "service/operation_context.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::service {
namespace {

using core::Result;
using core::TaskId;

constexpr std::size_t kMostNodes = 1000;
constexpr std::size_t kMostEdges = 5000;

/// Gathers tasks and edges until there are too many.
class GraphWalk {
 public:
  explicit GraphWalk(OperationContext& ctx) : ctx_(ctx) {}

  /// Everything the task waits for, however far, or everything that waits for it.
  void follow(TaskId from, bool downwards) {
    std::vector<TaskId> open{from};
    std::set<TaskId> seen{from};
    add(from);
    while (!open.empty()) {
      auto const id = open.back();
      open.pop_back();
      for (auto const other : downwards ? waits_for(id) : ctx_.tx.dependents(id)) {
        if (!(downwards ? add_edge(id, other) : add_edge(other, id))) continue;
        if (seen.insert(other).second) open.push_back(other);
      }
    }
  }

  /// Both ends are drawn; false when one is unknown or there is no room for it.
  bool add_edge(TaskId task, TaskId depends_on) {
    if (edges_.size() >= kMostEdges) truncated_ = true;
    if (truncated_ || !add(task) || !add(depends_on)) return false;
    edges_.insert({task, depends_on});
    return true;
  }

  DependencyGraph graph() && {
    DependencyGraph out;
    for (auto& [id, node] : nodes_) out.nodes.push_back(std::move(node));
    for (auto const& [task, depends_on] : edges_) out.edges.push_back({task, depends_on});
    out.truncated = truncated_;
    return out;
  }

 private:
  bool add(TaskId id) {
    if (nodes_.contains(id)) return true;
    if (nodes_.size() >= kMostNodes) {
      truncated_ = true;
      return false;
    }
    auto const task = find_task(ctx_, TaskRef{std::to_string(id)});
    if (!task) return false;
    nodes_[id] = {task->id, task->key, task->title, task->status, task->stage, task->blocked};
    return true;
  }

  std::vector<TaskId> waits_for(TaskId id) {
    auto const task = ctx_.tx.task(id);
    return task ? task->depends_on : std::vector<TaskId>{};
  }

  OperationContext& ctx_;
  std::map<TaskId, core::GraphNode> nodes_;
  std::set<std::pair<TaskId, TaskId>> edges_;
  bool truncated_ = false;
};

}  // namespace

Result<DependencyGraph> dependency_graph(OperationContext& ctx, GraphRequest const& r) {
  GraphWalk gathering(ctx);
  if (r.id) {
    ANDON_TRY(auto const task, find_task(ctx, *r.id));
    gathering.follow(task.id, true);
    gathering.follow(task.id, false);
  } else {
    ANDON_TRY(auto const* board, find_board(ctx, r.board));
    auto const pairs = ctx.tx.open_dependencies(board->id, kMostEdges + 1);
    for (auto const& [task, depends_on] : pairs) gathering.add_edge(task, depends_on);
  }
  auto out = std::move(gathering).graph();
  if (r.format) out.text = core::draw({out.nodes, out.edges}, *r.format);
  return out;
}

}  // namespace andon::service
