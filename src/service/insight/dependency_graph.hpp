#pragma once

#include "core/tasks/task_graph.hpp"
#include "service/requests.hpp"

namespace andon::service {

struct GraphRequest {
  std::optional<TaskRef> id;
  std::string board;
  std::optional<core::GraphFormat> format;
};
BOOST_DESCRIBE_STRUCT(GraphRequest, (), (id, board, format))
inline constexpr std::array kGraphRequestFields{
    core::Field{"id",
                "Task by number or key: what it waits for and what waits for it, however far; "
                "without it every unfinished task that waits for another"},
    core::Field{"board", "Board by name or number; the first one when left out"},
    core::Field{"format", "Draw it as well"}};
constexpr auto const& fields(GraphRequest const*) { return kGraphRequestFields; }

struct DependencyGraph {
  std::vector<core::GraphNode> nodes;
  std::vector<core::GraphEdge> edges;
  bool truncated = false;
  std::string text;
};
BOOST_DESCRIBE_STRUCT(DependencyGraph, (), (nodes, edges, truncated, text))
inline constexpr std::array kDependencyGraphFields{
    core::Field{"nodes", "The tasks, by number", core::always},
    core::Field{"edges", "Who waits for whom", core::always},
    core::Field{"truncated", "Whether there is more than fits into an answer", core::set_only},
    core::Field{"text", "The drawing that was asked for"}};
constexpr auto const& fields(DependencyGraph const*) { return kDependencyGraphFields; }

/// The dependencies between at most 1,000 tasks.
core::Result<DependencyGraph> dependency_graph(OperationContext& ctx, GraphRequest const& request);

}  // namespace andon::service
