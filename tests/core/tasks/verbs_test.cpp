#include "core/tasks/verbs.hpp"

#include <map>
#include <set>

#include <doctest/doctest.h>

using namespace andon;
using core::Stage;
using core::Verb;

namespace {

using Verbs = std::set<std::string>;

/// The table of the contract, row by row, in the order of the stages; `-` is the stage itself.
constexpr std::string_view kTable = R"(
backlog:  -      | approve                    |       |               |        | block |      |          | archive
ready:    shelve | -                          | claim |               |        | block |      |          | archive
claimed:  kill   | release recover            | -     | start         |        | block | fail |          |
active:   kill   | release fail-retry recover |       | -             | submit | block | fail | complete |
review:          | reject                     |       | reject-resume | -      | block |      | accept   |
blocked:  shelve | unblock                    |       | unblock       | unblock | -    |      |          | archive
failed:   shelve | retry                      |       |               |        |       | -    |          | archive
done:            | reopen                     |       |               |        |       |      | -        | archive
archived: restore |                           |       |               |        |       |      |          | -
)";

std::map<std::pair<std::string, std::string>, Verbs> contract() {
  std::map<std::pair<std::string, std::string>, Verbs> out;
  std::string row, column;
  std::size_t at = 0;
  std::string word;
  auto const keep = [&] {
    if (!word.empty() && word != "-") out[{row, std::string{core::kStageNames[at]}}].insert(word);
    word.clear();
  };
  for (char c : kTable) {
    if (c == ':') {
      row = std::exchange(word, {});
      at = 0;
    } else if (c == ' ' || c == '\n' || c == '|') {
      if (!row.empty()) keep();
      if (c == '|') ++at;
      if (c == '\n') row.clear();
    } else {
      word += c;
    }
  }
  return out;
}

}  // namespace

TEST_CASE("Lifecycle.EveryPairOfStagesIsAsTheContractSays") {
  auto const table = contract();
  REQUIRE(table.size() == 33);
  for (std::size_t f = 0; f < core::kStages; ++f)
    for (std::size_t t = 0; t < core::kStages; ++t) {
      auto const from = static_cast<Stage>(f), to = static_cast<Stage>(t);
      auto const found = table.find({std::string{core::to_text(from)}, std::string{core::to_text(to)}});
      CAPTURE(core::to_text(from));
      CAPTURE(core::to_text(to));
      CHECK(core::is_legal(from, to) == (found != table.end()));
      CHECK(core::check_transition(from, to).has_value() == (found != table.end()));
      Verbs verbs;
      for (auto const& edge : core::edges())
        if (edge.from == from && edge.to == to) verbs.insert(std::string{core::to_text(edge.verb)});
      CHECK(verbs == (found == table.end() ? Verbs{} : found->second));
    }
}

TEST_CASE("Lifecycle.ARefusalNamesTheLegalTargets") {
  auto const refused = core::check_transition(Stage::done, Stage::active);
  CHECK(refused.error().code == core::Code::kIllegalTransition);
  CHECK(refused.error().field == "status");
  CHECK(refused.error().message.ends_with("can go to: ready, archived"));
}

TEST_CASE("Lifecycle.VerbsAreRefusedWhereTheStageHasThemNot") {
  for (std::size_t s = 0; s < core::kStages; ++s)
    for (int v = 0; v <= static_cast<int>(Verb::restore); ++v) {
      auto const stage = static_cast<Stage>(s);
      auto const verb = static_cast<Verb>(v);
      bool has = false;
      for (auto const& edge : core::edges()) has = has || (edge.from == stage && edge.verb == verb);
      CHECK(core::check_verb(stage, verb).has_value() == has);
    }
  CHECK(core::check_verb(Stage::review, Verb::complete).error().message ==
        "cannot complete a task that is review; possible now: reject, reject-resume, block, accept");
}

TEST_CASE("Lifecycle.StagesHaveTheirNames") {
  for (std::size_t s = 0; s < core::kStages; ++s)
    CHECK(core::parse_stage(core::kStageNames[s]) == static_cast<Stage>(s));
  CHECK_FALSE(core::parse_stage("Ready"));
  CHECK_FALSE(core::parse_stage(""));
}
