// describe_lifecycle: writes docs/reference/lifecycle.md from the table of core/tasks/verbs.cpp.
// describe_lifecycle --check FILE: fails when FILE says something else.

#include <array>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string_view>

#include "core/tasks/verbs.hpp"
#include "service/tasks/reactions/react.hpp"

namespace {

using namespace andon::core;

// The words of the columns of a verb's row, in the order of their enums.
constexpr std::array<std::string_view, 3> kFromTexts{
    "any stage", "a stage that has this step",
    "a stage that has this step; on an open board every stage but done and archived"};
constexpr std::array<std::string_view, 5> kAlsoTexts{
    "", "ready, where nobody has read it", "ready",
    "ready, while it waits for its time, or with the blocked mark", "blocked"};
constexpr std::array<std::string_view, 14> kGuardTexts{"the stage has it",
                                                       "not by an agent",
                                                       "not in review",
                                                       "approved, if an agent does it",
                                                       "the board has a review column",
                                                       "the caller holds it",
                                                       "no open dependency",
                                                       "no open dependency, if a run does it",
                                                       "an agent, a claim or work is there to end",
                                                       "on a strict board: a step to archived",
                                                       "blocked, or its run asks something",
                                                       "the question is the one that was read",
                                                       "not by an agent",
                                                       "no run of it lives"};
constexpr std::array<std::string_view, 18> kEffectTexts{
    "approve it",
    "void the approval",
    "begin a claim for the caller, and count an attempt", "end the claim", "end the claim of a run",
    "keep the result",
    "keep the result, if there is one",
    "keep the reason for the next attempt",
    "forget the last failure",
    "forget its time",
    "count attempts from 0",
    "clear the flag",
    "set the blocked mark with the reason",
    "clear the blocked mark",
    "close the question of the run, or clear the blocked mark",
    "accept the plan",
    "send the plan back",
    "clear the blocked mark of the plan"};
constexpr std::array<std::string_view, 18> kTargetTexts{"stays",
                                                        "ready",
                                                        "ready; stays while it must wait",
                                                        "ready, if it was in work",
                                                        "ready, if its plan waited in review or by the blocked mark",
                                                        "ready, if it was claimed or the board is strict",
                                                        "claimed, if it was ready and there is such a column", "active",
                                                        "review",
                                                        "review if it needs a verdict, else done",
                                                        "blocked",
                                                        "where it was before; ready, if its run has ended",
                                                        "ready with back-off, or failed",
                                                        "backlog",
                                                        "done",
                                                        "archived",
                                                        "the named column", "the named column; the blocked mark and the approval follow it"};

template <class Value, std::size_t N>
std::string_view word(std::array<std::string_view, N> const& words, Value value) {
  return words.at(static_cast<std::size_t>(value));
}

template <class Value, std::size_t N>
std::string joined(std::array<std::string_view, N> const& words, Few<Value> const& values) {
  std::string out;
  for (auto const value : values) out += (out.empty() ? "" : "; ") + std::string{word(words, value)};
  return out;
}

std::string guards_of(VerbRow const& row) {
  std::string out;
  for (auto const guard : row.guards) {
    out += out.empty() ? "" : "; ";
    if (guard != Guard::stage) {
      out += word(kGuardTexts, guard);
      continue;
    }
    out += word(kFromTexts, row.from);
    if (row.steps_of) out += " of " + std::string{to_text(*row.steps_of)};
    if (row.also != Also::nowhere) out += "; also " + std::string{word(kAlsoTexts, row.also)};
  }
  if (row.heeds_claims) out += std::string{out.empty() ? "" : "; "} + "nobody else holds it";
  return out;
}

std::string events_of(VerbRow const& row) {
  auto const name = [](EventKind kind) { return "`" + std::string{wire_names(kind)[static_cast<std::size_t>(kind)]} + "`"; };
  return name(row.event) + (row.otherwise == EventKind::task_edited ? "" : " or " + name(row.otherwise));
}

std::string run_of(VerbRow const& row) {
  if (row.report) return "a report: " + std::string{wire_names(*row.report)[static_cast<std::size_t>(*row.report)]};
  return row.not_by_run.empty() ? "" : "refused";
}

bool is_step_alone(VerbRow const& row) { return row.verb >= Verb::shelve; }

void write_verbs(std::ostream& out) {
  out << "| verb | asks, in this order | does | leads to | event | by a run | its agent |\n| --- | --- | --- | --- | --- | --- | --- |\n";
  for (auto const& row : verb_rows())
    if (!is_step_alone(row))
      out << "| **" << to_text(row.verb) << "** | " << guards_of(row) << " | " << joined(kEffectTexts, row.effects) << " | "
          << word(kTargetTexts, row.to) << (row.entry == Entry::queued || row.to == Target::stays ? "" : " (if there is room)")
          << " | " << events_of(row) << " | " << run_of(row) << " | "
          << (row.agent == Agent::stops_first ? "stops first" : "") << " |\n";
}

void write_reactions(std::ostream& out) {
  out << "| when a task changes so that | then |\n| --- | --- |\n";
  for (auto const& row : andon::service::reaction_rows()) out << "| " << row.when << " | " << row.then << " |\n";
}

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
  out << "\n## What a verb does\n\n"
         "Nothing is written when a guard refuses. Where the agent stops first, the verb takes effect when no process of\n"
         "it is left. Work that the engine puts into a full ready column waits in the backlog, approved, until there is\n"
         "room; into another full column it goes all the same, and `limit.reached` tells of it.\n\n";
  write_verbs(out);
  out << "\n## What follows from a change\n\n"
         "Carried out in this order, in the same transaction; the consequences of each step come before the next step.\n\n";
  write_reactions(out);
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
