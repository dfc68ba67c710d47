#include "service/insight/dependency_graph.hpp"

#include <doctest/doctest.h>

#include "reflect/json.hpp"
#include "service/house.hpp"

using namespace andon;
using test::House;

namespace {

service::DependencyGraph graph(House& house, std::string const& request) {
  return reflect::from_json<service::DependencyGraph>(
             reflect::parse_json(house.answer("dependency_graph", request)).value())
      .value();
}

std::string nodes(service::DependencyGraph const& graph) {
  std::string out;
  for (auto const& node : graph.nodes) out += std::to_string(node.id) + " ";
  return out;
}

void fill(House& house) {
  house.create("Base");
  house.create("Left", R"("depends_on":[1])");
  house.create("Right", R"("depends_on":[1])");
  house.create("Top", R"("depends_on":[2,3])");
  house.create("Alone");
  house.create("After", R"("depends_on":[5])");
  house.move(5, "done");
  house.move(6, "done");
}

}  // namespace

TEST_CASE("Dependencies.OfABoardAreThoseOfUnfinishedTasks") {
  House house;
  fill(house);
  auto const found = graph(house, "{}");
  CHECK(nodes(found) == "1 2 3 4 ");
  CHECK(found.edges == std::vector<core::GraphEdge>{{2, 1}, {3, 1}, {4, 2}, {4, 3}});
  CHECK(found.text.empty());
  CHECK_FALSE(found.truncated);
}

TEST_CASE("Dependencies.OfATaskGoBothWays") {
  House house;
  fill(house);
  CHECK(nodes(graph(house, R"({"id":2})")) == "1 2 4 ");
  CHECK(nodes(graph(house, R"({"id":"5"})")) == "5 6 ");
  CHECK(graph(house, R"({"id":2,"format":"tree"})").text ==
        "#4 [backlog] Top\n└── #2 [backlog] Left\n    └── #1 [backlog] Base\n");
  CHECK(graph(house, R"({"format":"mermaid"})").text.starts_with("flowchart LR\n"));
  CHECK(house.refusal("dependency_graph", R"({"id":99})") == "TASK_NOT_FOUND");
  CHECK_FALSE(house.ask("dependency_graph", R"({"format":"png"})"));
}
