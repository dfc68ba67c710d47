// describe_lifecycle: writes docs/reference/lifecycle.md from the table of core/tasks/verbs.cpp.
// describe_lifecycle --check FILE: fails when FILE says something else.

#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string_view>

#include "core/tasks/verbs.hpp"

namespace {

using namespace andon::core;

std::string verbs_between(Stage from, Stage to) {
  if (from == to) return "–";
  std::string out;
  for (auto const& edge : edges())
    if (edge.from == from && edge.to == to)
      out += (out.empty() ? "" : ", ") + std::string{to_text(edge.verb)};
  return out;
}

void write_table(std::ostream& out) {
  out << "| from \\ to |";
  for (auto const name : kStageNames) out << " " << name << " |";
  out << "\n| --- |";
  for (std::size_t i = 0; i < kStages; ++i) out << " --- |";
  out << "\n";
  for (std::size_t from = 0; from < kStages; ++from) {
    out << "| **" << kStageNames[from] << "** |";
    for (std::size_t to = 0; to < kStages; ++to) {
      auto const verbs = verbs_between(static_cast<Stage>(from), static_cast<Stage>(to));
      out << (verbs.empty() ? " |" : " " + verbs + " |");
    }
    out << "\n";
  }
}

void write_diagram(std::ostream& out) {
  out << "```mermaid\nstateDiagram-v2\n  [*] --> backlog\n";
  for (std::size_t from = 0; from < kStages; ++from)
    for (std::size_t to = 0; to < kStages; ++to) {
      auto const verbs = verbs_between(static_cast<Stage>(from), static_cast<Stage>(to));
      if (from != to && !verbs.empty())
        out << "  " << kStageNames[from] << " --> " << kStageNames[to] << ": " << verbs << "\n";
    }
  out << "```\n";
}

std::string page() {
  std::ostringstream out;
  out << "# The life of a task\n\n"
         "Every column of a board has a stage: what the column means to the engine. A board with the "
         "workflow `strict` allows\n"
         "exactly these steps; on an `open` board people may move tasks anywhere and the engine itself keeps "
         "to the table.\n\n"
         "<!-- Written by describe_lifecycle from src/core/tasks/verbs.cpp; tests/CMakeLists.txt checks it. "
         "-->\n\n";
  write_table(out);
  out << "\n`complete` is allowed where the board has no review column or the task asks for no verdict. "
         "`unblock` leads back\n"
         "to where the task was.\n\n";
  write_diagram(out);
  return out.str();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 1) {
    std::cout << page();
    return 0;
  }
  if (argc != 3 || std::string_view{argv[1]} != "--check") {
    std::cerr << "usage: describe_lifecycle [--check FILE]\n";
    return 2;
  }
  std::ifstream file(argv[2]);
  std::string const committed{std::istreambuf_iterator<char>{file}, {}};
  if (committed == page()) return 0;
  std::cerr << argv[2] << " is not what src/core/tasks/verbs.cpp says; write it again:\n  describe_lifecycle > "
            << argv[2] << "\n";
  return 1;
}
