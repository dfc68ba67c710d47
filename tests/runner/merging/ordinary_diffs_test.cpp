// The gate against ordinary work: the changes of this repository's own history, each from its first parent.
// They are larger than the work of one task, and none is left out. `bench/landing_gate` does so for others.
#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <map>

#include <doctest/doctest.h>

#include "core/runs/landing_gate.hpp"
#include "runner/merging/change_measure.hpp"
#include "support/address_sanitizer.hpp"

using namespace andon;
using namespace andon::runner;

namespace {

constexpr std::size_t kUsualDiffs = test::kHasAddressSanitizer ? 10 : 40;
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

/// The directories in `ANDON_PUBLIC_REPOSITORIES`, which stand between colons.
std::vector<std::filesystem::path> public_repositories() {
  std::vector<std::filesystem::path> out;
  char const* const list = std::getenv("ANDON_PUBLIC_REPOSITORIES");
  for (std::string_view rest = list ? list : ""; !rest.empty();) {
    auto const one = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(rest.size(), one.size() + 1));
    out.emplace_back(one);
  }
  return out;
}

struct Outcome {
  int held = 0;
  int held_for_more = 0;  ///< than files that somebody's machine executes, which is true of each of them
  int measured = 0;
};

bool is_about_checks(core::LandFinding const& found) { return found.limit == "check_files"; }

void tell(Git const& git, std::string const& head, std::vector<core::LandFinding> const& found) {
  std::string lines;
  for (auto const& each : found)
    for (auto const& line : each.lines) lines += "\n    " + line;
  MESSAGE("held: ", subject_of(git, head), ": ", core::in_words(found), lines);
}

/// Judges the newest changes of a history, each from its first parent.
Outcome judge_history(Git const& git, std::string const& newest, std::size_t wanted) {
  Outcome out;
  std::map<std::string, int> by_limit;
  auto const commits =
      git.list({"rev-list", "--first-parent", "--max-count=" + std::to_string(wanted + 1), newest});
  for (std::size_t i = 0; i + 1 < commits.size(); ++i) {
    auto const& head = commits[i];
    auto const& parent = commits[i + 1];
    auto const change = measure_change(git, {parent, head, parent, head});
    REQUIRE(change);
    ++out.measured;
    auto const found = core::findings_of(*change, {});
    if (found.empty()) continue;
    ++out.held;
    out.held_for_more += std::ranges::all_of(found, &is_about_checks) ? 0 : 1;
    for (auto const& each : found) ++by_limit[each.limit];
    tell(git, head, found);
  }
  for (auto const& [limit, count] : by_limit) MESSAGE(limit, ": ", count);
  MESSAGE(out.held, " of ", out.measured, " ordinary changes are held, ", out.held_for_more,
          " of them for more than files that somebody's machine executes");
  return out;
}

}  // namespace

TEST_CASE("OrdinaryDiffs.FewOfThisRepositorysHistoryAreHeld") {
  auto const git = open_git(source_of_program());
  auto const wanted = wanted_diffs();
  if (!git || !git->succeeds({"cat-file", "-e", kNewest})) {
    MESSAGE("skipped: this needs ANDON_SOURCE, a clone of Andon with its history");
    return;
  }
  auto const outcome = judge_history(*git, kNewest, wanted);
  CHECK(outcome.held_for_more * 5 <= outcome.measured);
}

TEST_CASE("OrdinaryDiffs.FewChangesOfPublicRepositoriesAreHeld") {
  for (auto const& directory : public_repositories()) {
    CAPTURE(directory);
    auto const git = open_git(directory);
    REQUIRE(git);
    auto const outcome = judge_history(*git, "HEAD", wanted_diffs());
    CHECK(outcome.held_for_more * 5 <= outcome.measured);
  }
}
