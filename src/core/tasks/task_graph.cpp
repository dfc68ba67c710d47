#include "core/tasks/task_graph.hpp"

#include <map>
#include <set>

#include "core/text/ascii.hpp"

namespace andon::core {
namespace {

std::string name_of(GraphNode const& node) {
  return node.key.empty() ? "#" + std::to_string(node.id) : node.key;
}

/// Blanks instead of what a terminal or a reader of the file would act on.
std::string quiet(std::string_view text) {
  std::string out{text};
  for (auto& c : out)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
  return out;
}

std::string label_of(GraphNode const& node) {
  return quiet(name_of(node) + " [" + node.status + (node.blocked ? ", blocked" : "") + "] " + node.title);
}

class Tree {
 public:
  explicit Tree(TaskGraph const& graph) {
    for (auto const& node : graph.nodes) nodes_[node.id] = &node;
    for (auto const& edge : graph.edges) {
      waits_for_[edge.task].push_back(edge.depends_on);
      awaited_.insert(edge.depends_on);
    }
  }

  std::string text() {
    for (auto const& [id, node] : nodes_)
      if (!awaited_.contains(id)) draw_all({id, "", "", ""});
    return std::move(out_);
  }

 private:
  /// A line that is yet to be drawn: what stands before it, how it hangs there, and what stands before those
  /// below it.
  struct Line {
    TaskId id;
    std::string before;
    std::string_view branch;
    std::string_view stem;
  };

  void draw_all(Line root) {
    std::vector<Line> open{std::move(root)};
    while (!open.empty()) {
      auto const line = std::move(open.back());
      open.pop_back();
      if (draw(line)) open_below(line, open);
    }
  }

  /// False when the task was drawn out before.
  bool draw(Line const& line) {
    bool const is_first = drawn_.insert(line.id).second;
    auto const& node = *nodes_[line.id];
    out_ += line.before + std::string{line.branch};
    out_ += (is_first ? label_of(node) : quiet(name_of(node)) + " (above)") + "\n";
    return is_first;
  }

  /// The first one is drawn next.
  void open_below(Line const& line, std::vector<Line>& open) {
    auto const& below = waits_for_[line.id];
    for (std::size_t i = below.size(); i-- > 0;) {
      bool const last = i + 1 == below.size();
      open.push_back(
          {below[i], line.before + std::string{line.stem}, last ? "└── " : "├── ", last ? "    " : "│   "});
    }
  }

  std::map<TaskId, GraphNode const*> nodes_;
  std::map<TaskId, std::vector<TaskId>> waits_for_;
  std::set<TaskId> awaited_;
  std::set<TaskId> drawn_;
  std::string out_;
};

/// In a quoted string of DOT only quotes need a backslash; one before a letter would be an escape of its own.
std::string dot_string(std::string_view text) {
  std::string out = "\"";
  for (char const c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

std::string dot(TaskGraph const& graph) {
  if (graph.nodes.empty()) return {};
  std::string out = "digraph tasks {\n  rankdir=LR;\n  node [shape=box];\n";
  for (auto const& node : graph.nodes)
    out += "  " + std::to_string(node.id) + " [label=" + dot_string(label_of(node)) +
           (is_terminal(node.stage) ? ", style=dashed" : "") + "];\n";
  for (auto const& edge : graph.edges)
    out += "  " + std::to_string(edge.task) + " -> " + std::to_string(edge.depends_on) + ";\n";
  return out + "}\n";
}

/// Mermaid reads Markdown and HTML within its quotes, so that every sign which could mean something is
/// written as its number.
std::string mermaid_string(std::string_view text) {
  constexpr std::string_view kPlain = " .,:!?()/+=@[]-_";
  std::string out = "\"";
  for (char const c : text) {
    bool const is_letter = is_ascii_alphanumeric(c);
    if (is_letter || static_cast<unsigned char>(c) > 0x7F || kPlain.find(c) != std::string_view::npos)
      out += c;
    else
      out += "#" + std::to_string(static_cast<int>(c)) + ";";
  }
  return out + '"';
}

std::string mermaid(TaskGraph const& graph) {
  if (graph.nodes.empty()) return {};
  std::string out = "flowchart LR\n";
  for (auto const& node : graph.nodes)
    out += "  t" + std::to_string(node.id) + "[" + mermaid_string(label_of(node)) + "]\n";
  for (auto const& edge : graph.edges)
    out += "  t" + std::to_string(edge.task) + " --> t" + std::to_string(edge.depends_on) + "\n";
  return out;
}

}  // namespace

std::string draw(TaskGraph const& graph, GraphFormat format) {
  switch (format) {
    case GraphFormat::tree: return Tree{graph}.text();
    case GraphFormat::dot: return dot(graph);
    case GraphFormat::mermaid: return mermaid(graph);
  }
  return {};
}

}  // namespace andon::core
