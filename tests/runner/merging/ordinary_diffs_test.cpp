// The gate against ordinary work: the changes of this repository's own history, each from its first parent.
// They are larger than the work of one task, and none is left out. A question about one of them is a mistake.
#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <map>

#include <doctest/doctest.h>

#include "core/runs/landing_gate.hpp"
#include "runner/merging/change_measure.hpp"

using namespace andon;
using namespace andon::runner;

namespace {

constexpr std::size_t kUsualDiffs = 40;
constexpr std::size_t kAllDiffs = 500;
/// The newest of them; a fixed one, so that every run counts the same changes.
constexpr char kNewest[] = "3068709a97883fc7965a87c2d45c3ebb4368588e";

/// The whole proof is `ANDON_ORDINARY_DIFFS=500`.
std::size_t wanted_diffs() {
  char const* const wanted = std::getenv("ANDON_ORDINARY_DIFFS");
  return wanted ? std::min(std::strtoul(wanted, nullptr, 10), kAllDiffs) : kUsualDiffs;
}

std::filesystem::path source_of_program() {
  char const* const source = std::getenv("ANDON_SOURCE");
  return source ? source : "";
}

std::string subject_of(Git const& git, std::string const& commit) {
  return git.text({"log", "-1", "--format=%h %s", commit}).value_or(commit);
}

}  // namespace

TEST_CASE("OrdinaryDiffs.AtMostTwoPercentOfThisRepositorysHistoryAreHeld") {
  auto const git = open_git(source_of_program());
  auto const wanted = wanted_diffs();
  auto const commits =
      git ? git->list({"rev-list", "--first-parent", "--max-count=" + std::to_string(wanted + 1), kNewest})
          : std::vector<std::string>{};
  if (commits.size() <= wanted) {
    MESSAGE("skipped: this needs ANDON_SOURCE, a clone of Andon with its history");
    return;
  }
  std::map<std::string, int> by_limit;
  int held = 0, measured = 0;
  for (std::size_t i = 0; i + 1 < commits.size(); ++i) {
    auto const& head = commits[i];
    auto const& parent = commits[i + 1];
    auto const change = measure_change(*git, {parent, head, parent, head});
    REQUIRE(change);
    ++measured;
    auto const found = core::findings_of(*change, {});
    if (found.empty()) continue;
    ++held;
    for (auto const& each : found) ++by_limit[each.limit];
    MESSAGE("held: ", subject_of(*git, head), ": ", core::in_words(found));
  }
  for (auto const& [limit, count] : by_limit) MESSAGE(limit, ": ", count);
  MESSAGE(held, " of ", measured, " ordinary changes are held");
  // Two percent of all; a few of them may be near together.
  CHECK(held * 50 <= (wanted == kAllDiffs ? measured : 2 * 50 + measured));
}
