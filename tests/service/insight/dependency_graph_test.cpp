#include "service/insight/dependency_graph.hpp"

#include <doctest/doctest.h>

#include "reflect/json.hpp"
#include "service/test_app.hpp"

using namespace andon;
using test::TestApp;

namespace {

service::DependencyGraph graph(TestApp& app, service::GraphRequest const& request) {
  return app.call<&service::dependency_graph>(request);
}

std::string nodes(service::DependencyGraph const& graph) {
  std::string out;
  for (auto const& node : graph.nodes) out += std::to_string(node.id) + " ";
  return out;
}

void fill(TestApp& app) {
  app.create("Base");
  app.create("Left", {.depends_on = {1}});
  app.create("Right", {.depends_on = {1}});
  app.create("Top", {.depends_on = {2, 3}});
  app.create("Alone");
  app.create("After", {.depends_on = {5}});
  app.move(5, "done");
  app.move(6, "done");
}

}  // namespace

TEST_CASE("Dependencies.OfABoardAreThoseOfUnfinishedTasks") {
  TestApp app;
  fill(app);
  auto const found = graph(app, {});
  CHECK(nodes(found) == "1 2 3 4 ");
  CHECK(found.edges == std::vector<core::GraphEdge>{{2, 1}, {3, 1}, {4, 2}, {4, 3}});
  CHECK(found.text.empty());
  CHECK_FALSE(found.truncated);
}

TEST_CASE("Dependencies.OfATaskGoBothWays") {
  TestApp app;
  fill(app);
  CHECK(nodes(graph(app, {.id = 2})) == "1 2 4 ");
  CHECK(nodes(graph(app, {.id = "5"})) == "5 6 ");
  CHECK(graph(app, {.id = 2, .format = core::GraphFormat::tree}).text ==
        "#4 [backlog] Top\n└── #2 [backlog] Left\n    └── #1 [backlog] Base\n");
  CHECK(graph(app, {.format = core::GraphFormat::mermaid}).text.starts_with("flowchart LR\n"));
  CHECK(app.refusal<&service::dependency_graph>({.id = 99}) == "TASK_NOT_FOUND");
  CHECK(app.refusal_of_json<&service::dependency_graph>(R"({"format":"png"})") == "INVALID_INPUT");
}
