#pragma once

#include <string>
#include <vector>

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
void describe(auto& field, GraphNode const*) {
  field(&GraphNode::id, "id", "Number of the task", always);
  field(&GraphNode::key, "key", "Number with the board's prefix");
  field(&GraphNode::title, "title", "One line", always);
  field(&GraphNode::status, "status", "Column it is in", always);
  field(&GraphNode::stage, "stage", "What its column means", always);
  field(&GraphNode::blocked, "blocked", "Whether it is blocked", set_only);
}

/// `task` waits for `depends_on`.
struct GraphEdge {
  TaskId task = 0;
  TaskId depends_on = 0;
  bool operator==(GraphEdge const&) const = default;
};
void describe(auto& field, GraphEdge const*) {
  field(&GraphEdge::task, "task", "The task that waits", always);
  field(&GraphEdge::depends_on, "depends_on", "The task it waits for", always);
}

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
