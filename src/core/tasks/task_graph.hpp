#pragma once

#include <string>
#include <vector>

#include <boost/describe.hpp>

#include "core/field.hpp"
#include "core/model/task.hpp"

namespace andon::core {

/// A task as a graph draws it.
struct GraphNode {
  TaskId id = 0;
  std::string key;
  std::string title;
  std::string status;
  Stage stage = Stage::backlog;
  bool blocked = false;
};
BOOST_DESCRIBE_STRUCT(GraphNode, (), (id, key, title, status, stage, blocked))
inline constexpr std::array kGraphNodeFields{Field{"id", "Number of the task", always},
                                             Field{"key", "Number with the board's prefix"},
                                             Field{"title", "One line", always},
                                             Field{"status", "Column it is in", always},
                                             Field{"stage", "What its column means", always},
                                             Field{"blocked", "Whether it is blocked", set_only}};
constexpr auto const& fields(GraphNode const*) { return kGraphNodeFields; }

/// `task` waits for `depends_on`.
struct GraphEdge {
  TaskId task = 0;
  TaskId depends_on = 0;
  bool operator==(GraphEdge const&) const = default;
};
BOOST_DESCRIBE_STRUCT(GraphEdge, (), (task, depends_on))
inline constexpr std::array kGraphEdgeFields{Field{"task", "The task that waits", always},
                                             Field{"depends_on", "The task it waits for", always}};
constexpr auto const& fields(GraphEdge const*) { return kGraphEdgeFields; }

/// Tasks and what they wait for; without cycles, which the board refuses. Every edge is between two nodes.
struct TaskGraph {
  std::vector<GraphNode> nodes;  ///< by id
  std::vector<GraphEdge> edges;  ///< by task, then by what it depends on
};

enum class GraphFormat { tree, dot, mermaid };
inline constexpr std::array<std::string_view, 3> kGraphFormatNames{"tree", "dot", "mermaid"};
constexpr auto const& wire_names(GraphFormat) { return kGraphFormatNames; }

/// The graph as a text that ends with a line end, empty for an empty graph. Titles cannot break out of it. In
/// a tree what a task waits for stands below it; a task that several wait for is drawn out once and referred
/// to afterwards.
std::string draw(TaskGraph const& graph, GraphFormat format);

}  // namespace andon::core
