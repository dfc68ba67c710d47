#pragma once

#include "core/tasks/task_graph.hpp"
#include "service/requests.hpp"

namespace andon::service {

struct GraphRequest {
  std::optional<TaskRef> id;
  std::string board;
  std::optional<core::GraphFormat> format;
};
void describe(auto& field, GraphRequest const*) {
  field(&GraphRequest::id, "id",
        "Task by number or key: what it waits for and what waits for it, however far; "
        "without it every unfinished task that waits for another");
  field(&GraphRequest::board, "board", "Board by name or number; the first one when left out");
  field(&GraphRequest::format, "format", "Draw it as well");
}

struct DependencyGraph {
  std::vector<core::GraphNode> nodes;
  std::vector<core::GraphEdge> edges;
  bool truncated = false;
  std::string text;
};
void describe(auto& field, DependencyGraph const*) {
  field(&DependencyGraph::nodes, "nodes", "The tasks, by number", core::always);
  field(&DependencyGraph::edges, "edges", "Who waits for whom", core::always);
  field(&DependencyGraph::truncated, "truncated", "Whether there is more than fits into an answer",
        core::set_only);
  field(&DependencyGraph::text, "text", "The drawing that was asked for");
}

/// The dependencies between at most 1,000 tasks.
core::Result<DependencyGraph> dependency_graph(OperationContext& ctx, GraphRequest const& request);

}  // namespace andon::service
