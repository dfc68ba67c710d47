#include "core/tasks/task_graph.hpp"

#include <doctest/doctest.h>

using namespace andon::core;

namespace {

GraphNode node(TaskId id, std::string title) {
  return {id, "", std::move(title), "todo", Stage::ready, false};
}

TaskGraph diamond() {
  return {{node(1, "Base"), node(2, "Left"), node(3, "Right"), node(4, "Top")},
          {{2, 1}, {3, 1}, {4, 2}, {4, 3}}};
}

}  // namespace

TEST_CASE("Graph.AsATreeDrawsASharedTaskOnce") {
  CHECK(draw(diamond(), GraphFormat::tree) ==
        "#4 [todo] Top\n"
        "├── #2 [todo] Left\n"
        "│   └── #1 [todo] Base\n"
        "└── #3 [todo] Right\n"
        "    └── #1 (above)\n");
}

TEST_CASE("Graph.AsDotHasEveryEdge") {
  CHECK(draw(diamond(), GraphFormat::dot) ==
        "digraph tasks {\n  rankdir=LR;\n  node [shape=box];\n"
        "  1 [label=\"#1 [todo] Base\"];\n  2 [label=\"#2 [todo] Left\"];\n"
        "  3 [label=\"#3 [todo] Right\"];\n  4 [label=\"#4 [todo] Top\"];\n"
        "  2 -> 1;\n  3 -> 1;\n  4 -> 2;\n  4 -> 3;\n}\n");
}

TEST_CASE("Graph.AsMermaidHasEveryEdge") {
  auto const text = draw({{node(1, "Base"), node(2, "Left")}, {{2, 1}}}, GraphFormat::mermaid);
  CHECK(text == "flowchart LR\n  t1[\"#35;1 [todo] Base\"]\n  t2[\"#35;2 [todo] Left\"]\n  t2 --> t1\n");
}

TEST_CASE("Graph.TitlesCannotBreakOut") {
  TaskGraph const hostile{{node(1, "a\"]; x -> y; //\\\n`<b>%%{init}%%")}, {}};
  CHECK(
      draw(hostile, GraphFormat::dot).find("label=\"#1 [todo] a\\\"]; x -> y; //\\\\ `<b>%%{init}%%\"];\n") !=
      std::string::npos);
  CHECK(draw(hostile, GraphFormat::mermaid) ==
        "flowchart LR\n  t1[\"#35;1 [todo] a#34;]#59; x -#62; y#59; //#92; "
        "#96;#60;b#62;#37;#37;#123;init#125;#37;#37;\"]\n");
  CHECK(draw(hostile, GraphFormat::tree).find('\n') + 1 == draw(hostile, GraphFormat::tree).size());
}

TEST_CASE("Graph.WithoutTasksIsNothing") {
  for (auto const format : {GraphFormat::tree, GraphFormat::dot, GraphFormat::mermaid})
    CHECK(draw({}, format).empty());
}
