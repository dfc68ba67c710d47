#include "runner/merging/landing_trial.hpp"

#include <algorithm>

#include <doctest/doctest.h>

#include "runner/merging/merge_yard.hpp"
#include "service/runs/landing_verdict.hpp"

using namespace andon;
using namespace andon::runner;
using core::LandingState;
using Yard = test::MergeYard;
using test::at;

namespace {

core::LandFinding finding(core::Landing const& landing, std::string_view limit) {
  auto const found = std::ranges::find(landing.findings, limit, &core::LandFinding::limit);
  return found == landing.findings.end() ? core::LandFinding{} : *found;
}

bool has_line(core::LandFinding const& found, std::string_view part) {
  return std::ranges::any_of(found.lines, [&](std::string const& line) { return line.contains(part); });
}

core::Result<core::Run> allow(Yard& yard, core::Run const& run) {
  return yard.client.call<&service::judge_landing>(
      service::JudgeLandingRequest{{std::to_string(run.task)}, service::LandingVerdict::land, {}});
}

/// A yard whose check wants that `a.txt` says one, and counts its runs outside of the tree.
struct CheckedYard : Yard {
  CheckedYard() : Yard({{"tests", {"sh", "check.sh"}}}) {
    auto const first = work("Check", "echo 'grep -q one a.txt' >check.sh; git add .; git commit -qm check");
    land_all();
    REQUIRE(allow(*this, first));
    land_all();
    REQUIRE(landing(first).state == LandingState::landed);
  }
};

/// A board that lists its tests by the names in `tests.txt`.
void list_tests(Yard& yard, std::string const& command) {
  service::BoardPolicies policies;
  policies.test_list = core::Command{"sh", "-c", command};
  REQUIRE(yard.client.call<&service::edit_board>({policies, "shop"}));
}

void report_tests(Yard& yard) {
  service::BoardPolicies policies;
  policies.test_reports = std::vector<std::string>{"out/*.xml"};
  REQUIRE(yard.client.call<&service::edit_board>({policies, "shop"}));
}

}  // namespace

TEST_CASE("LandingTrial.ACheckThatTheWorkAltersDoesNotProveIt") {
  CheckedYard yard;
  auto const run = yard.work("Cheat", "echo two >a.txt; echo true >check.sh; git commit -qam cheat");
  yard.land_all();
  auto const landing = yard.landing(run);
  REQUIRE(landing.state == LandingState::asked);
  CHECK(finding(landing, "check_files").count == 1);
  CHECK(has_line(finding(landing, "check_files"), "check.sh:1: + true"));
  CHECK(has_line(finding(landing, "check_files"), "check.sh:1: - grep -q one a.txt"));
  auto const old = finding(landing, "old_checks");
  CHECK(old.count == 1);
  CHECK(has_line(old, "with the checks as they were: after it was joined"));
  CHECK(has_line(old, "with the checks as the work changes them: all pass"));
  CHECK(landing.reason.contains("1 check that passes only with its files as the work changes them"));
}

TEST_CASE("LandingTrial.AHonestChangeOfACheckIsAskedAboutWithBothResults") {
  CheckedYard yard;
  auto const run = yard.work("More", "echo 'test -f a.txt' >>check.sh; git commit -qam more");
  yard.land_all();
  auto const landing = yard.landing(run);
  REQUIRE(landing.state == LandingState::asked);
  CHECK(landing.findings.size() == 1);
  CHECK(has_line(finding(landing, "check_files"), "with the checks as they were: all pass"));
  REQUIRE(allow(yard, run));
  yard.land_all();
  CHECK(yard.landing(run).state == LandingState::landed);
}

TEST_CASE("LandingTrial.AnAnswerHoldsUntilTheContentIsAnother") {
  CheckedYard yard;
  auto const run = yard.work("Cheat", "echo two >a.txt; echo true >check.sh; git commit -qam cheat");
  yard.land_all();
  REQUIRE(allow(yard, run));
  // Others change another file: what was answered is the same.
  at(yard.repo, "echo other >other.txt; git add .; git commit -qm other");
  yard.land_all();
  CHECK(yard.landing(run).state == LandingState::landed);
}

TEST_CASE("LandingTrial.AnAnswerIsForgottenWhenTheSameFileHasOtherContent") {
  CheckedYard yard;
  auto const run = yard.work("Cheat", "echo two >a.txt; echo true >check.sh; git commit -qam cheat");
  yard.land_all();
  REQUIRE(allow(yard, run));
  yard.take_up_again(run);
  auto const next = yard.work("echo 'exit 0' >check.sh; git commit -qam again");
  yard.land_all();
  CHECK(yard.landing(next).state == LandingState::asked);
}

TEST_CASE("LandingTrial.WorkThatFailsItsOwnChecksGoesBackWithoutAQuestion") {
  CheckedYard yard;
  auto const run =
      yard.work("Broken", "echo two >a.txt; echo 'grep -q three a.txt' >check.sh; git commit -qam x");
  yard.land_all();
  CHECK(yard.landing(run).state == LandingState::returned);
}

TEST_CASE("LandingTrial.ATestThatIsNoLongerListedIsAskedAbout") {
  Yard yard;
  list_tests(yard, "cat tests.txt; echo '2 tests collected in 0.01s'");  // the end of it always succeeds
  auto const first =
      yard.work("Tests", "printf 'test_a\\ntest_b\\n' >tests.txt; git add .; git commit -qm tests");
  yard.land_all();
  REQUIRE(yard.landing(first).state == LandingState::landed);
  auto const fewer = yard.work("Fewer", "printf 'test_a\\ntest_c\\n' >tests.txt; git commit -qam fewer");
  yard.land_all();
  REQUIRE(yard.landing(fewer).state == LandingState::asked);
  auto const lost = finding(yard.landing(fewer), "lost_tests");
  CHECK(lost.count == 1);
  CHECK(lost.lines == std::vector<std::string>{"test_b is gone"});
  REQUIRE(allow(yard, fewer));
  yard.land_all();
  CHECK(yard.landing(fewer).state == LandingState::landed);
}

TEST_CASE("LandingTrial.MoreTestsLandWithoutAQuestion") {
  Yard yard;
  list_tests(yard, "cat tests.txt 2>/dev/null; true");
  auto const first = yard.work("Tests", "echo test_a >tests.txt; git add .; git commit -qm tests");
  yard.land_all();
  auto const more = yard.work("More", "echo test_b >>tests.txt; git commit -qam more");
  yard.land_all();
  CHECK(yard.landing(first).state == LandingState::landed);
  CHECK(yard.landing(more).state == LandingState::landed);
}

TEST_CASE("LandingTrial.TestsThatCannotBeListedAnyMoreSendTheWorkBack") {
  Yard yard;
  list_tests(yard, "test ! -f broken && echo test_a");
  auto const run = yard.work("Broken", "touch broken; git add .; git commit -qm broken");
  yard.land_all();
  CHECK(yard.landing(run).state == LandingState::returned);
  CHECK(yard.landing(run).reason.contains("the tests cannot be listed"));
}

TEST_CASE("LandingTrial.TestsAreComparedAlsoWhereTheChecksOfTheDefaultBranchFail") {
  Yard yard({{"tests", {"sh", "-c", "test -f mended"}}});
  at(yard.repo, "printf 'test_a\\ntest_b\\n' >tests.txt; git add .; git commit -qm tests");
  list_tests(yard, "cat tests.txt");
  auto const run =
      yard.work("Mend", "touch mended; echo test_a >tests.txt; git add .; git commit -qm mended");
  yard.land_all();
  REQUIRE(yard.landing(run).state == LandingState::asked);
  CHECK(finding(yard.landing(run), "lost_tests").lines == std::vector<std::string>{"test_b is gone"});
}

TEST_CASE("LandingTrial.TestsThatCannotBeComparedAreAskedAbout") {
  Yard yard;
  list_tests(yard, "cat tests.txt");
  auto const run = yard.work("Tests", "echo test_a >tests.txt; git add .; git commit -qm tests");
  yard.land_all();
  REQUIRE(yard.landing(run).state == LandingState::asked);
  auto const unknown = finding(yard.landing(run), "unknown_tests");
  CHECK(has_line(unknown, "on the default branch: the tests cannot be listed"));
  REQUIRE(allow(yard, run));
  yard.land_all();
  CHECK(yard.landing(run).state == LandingState::landed);
}

TEST_CASE("LandingTrial.ManyFilesOfTheChecksAreAllPutBack") {
  CheckedYard yard;
  yard.set_limits({.lines = -1});
  at(yard.repo,
     "mkdir .husky; for i in $(seq 300); do echo one >.husky/$i; done; echo old >.envrc; git add -f .;"
     "git commit -qm hooks; echo 'test \"$(cat .husky/* | sort -u)\" = one && test -f .envrc' >>check.sh; "
     "git commit -qam check");
  auto const run =
      yard.work("Many",
                "for i in $(seq 300); do echo two >.husky/$i; done; git rm -q --cached .envrc; rm .envrc;"
                "mkdir .envrc; echo x >.envrc/new; sed -i 1q check.sh; git add -f .; git commit -qm many");
  yard.land_all();
  auto const landing = yard.landing(run);
  REQUIRE(landing.state == LandingState::asked);
  CHECK(finding(landing, "check_files").count > 300);
  CHECK(has_line(finding(landing, "check_files"), "with the checks as they were: all pass"));
}

TEST_CASE("LandingTrial.LinesOfAQuestionHoldNoSecret") {
  Yard yard;
  service::BoardPolicies policies;
  policies.env = std::vector<std::string>{"SHOP_PASSWORD=correct-horse-battery"};
  REQUIRE(yard.client.call<&service::edit_board>({policies, "shop"}));
  std::string const token = std::string{"npm"} + "_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";
  auto const run = yard.work(
      "Registry", "echo '//r.example.net/:_authToken=" + token +
                      "' >.npmrc; echo 'password=correct-horse-battery' >.envrc; echo plain >CLAUDE.md;"
                      "git add -f .; git commit -qm registry");
  yard.land_all();
  auto const landing = yard.landing(run);
  REQUIRE(landing.state == LandingState::asked);
  CHECK(has_line(finding(landing, "check_files"), ".npmrc:1: not shown, since it looks like a secret"));
  CHECK(has_line(finding(landing, "check_files"), "CLAUDE.md:1: + plain"));
  for (auto const& found : landing.findings)
    for (auto const& line : found.lines) {
      CHECK_FALSE(line.contains(token));
      CHECK_FALSE(line.contains("correct-horse"));
    }
  CHECK_FALSE(landing.reason.contains("correct-horse"));
}

TEST_CASE("LandingTrial.ATestThatIsSkippedInAReportIsAskedAbout") {
  std::string const report =
      "mkdir -p out; for t in $(cat tests.txt); do echo \"<testcase classname='c' name='$t'>"
      "$(test -f skip_$t && echo '<skipped/>')</testcase>\"; done >out/r.xml";
  Yard yard({{"tests", {"sh", "-c", report}}});
  report_tests(yard);
  auto const first = yard.work("Tests", "printf 'a\\nb\\n' >tests.txt; git add .; git commit -qm tests");
  yard.land_all();
  REQUIRE(yard.landing(first).state == LandingState::landed);
  // A report that the work brings along is none of this run.
  auto const skips =
      yard.work("Skip",
                "touch skip_b; mkdir out; echo '<testcase classname=\"c\" name=\"b\"/>' >out/z.xml;"
                "git add -f .; git commit -qm skip");
  yard.land_all();
  REQUIRE(yard.landing(skips).state == LandingState::asked);
  CHECK(finding(yard.landing(skips), "lost_tests").lines == std::vector<std::string>{"c.b is skipped now"});
}

TEST_CASE("LandingTrial.AReportThatIsALinkIsNotRead") {
  Yard yard({{"tests", {"sh", "-c", "mkdir -p out; ln -sf /etc/passwd out/r.xml"}}});
  report_tests(yard);
  auto const run = yard.work("Work", "echo two >b.txt; git add .; git commit -qm work");
  yard.land_all();
  CHECK(yard.landing(run).state == LandingState::landed);
}
