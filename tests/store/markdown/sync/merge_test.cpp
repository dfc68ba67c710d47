#include "store/markdown/sync/merge.hpp"

#include <doctest/doctest.h>

using namespace andon;
using namespace andon::store::markdown;

namespace {

std::string task(std::string const& keys, std::string const& body = "") {
  return "---\nid: 1\ntitle: Fix\n" + keys + "---\n" + (body.empty() ? "" : "\n" + body);
}

/// Stands for git: knows nothing but that two different changes collide.
core::Result<Merged> collide(Sides const& sides) {
  return Merged{"<" + sides.ours + "|" + sides.theirs + ">", false};
}

core::Result<Merged> never(Sides const&) {
  return core::refuse(core::Code::kInternalError, "no lines to merge");
}

std::string merged(std::string const& base, std::string const& ours, std::string const& theirs) {
  auto const out = merge_task_files({task(base), task(ours), task(theirs)}, never);
  REQUIRE(out);
  CHECK(out->is_clean);
  return out->text;
}

}  // namespace

TEST_CASE("Merge.TakesWhatOneSideChanged") {
  CHECK(merged("status: todo\npriority: low\n", "status: done\npriority: low\n",
               "status: todo\npriority: high # now\n") == task("status: done\npriority: high # now\n"));
  CHECK(merged("status: todo\nestimate: 4h\n", "status: todo\nestimate: 4h\n", "status: todo\nsprint: 3\n") ==
        task("status: todo\nsprint: 3\n"));
}

TEST_CASE("Merge.UnitesLists") {
  CHECK(merged("status: todo\ntags:\n    - a\n    - b\n", "status: todo\ntags:\n    - b\n    - c\n",
               "status: todo\ntags:\n    - a\n    - b\n    - d\n") ==
        task("status: todo\ntags:\n    - b\n    - c\n    - d\n"));
  CHECK(merged("status: todo\n", "status: todo\ndepends_on:\n    - 7\n",
               "status: todo\ndepends_on:\n    - 9\n") ==
        task("status: todo\ndepends_on:\n    - 7\n    - 9\n"));
  CHECK(merged("status: todo\ntags: [a]\n", "status: todo\n", "status: todo\ntags: [a, b]\n") ==
        task("status: todo\ntags:\n    - b\n"));
}

TEST_CASE("Merge.KeepsTheLatestClaim") {
  std::string const free = "status: todo\nupdated: 2027-01-01T08:00:00Z\nepoch: 3\n";
  std::string const ann =
      "status: todo\nupdated: 2027-01-01T10:00:00Z\nclaimed_by: ann\nclaimed_at: "
      "2027-01-01T10:00:00Z\nepoch: 4\n";
  std::string const bob =
      "status: todo\nupdated: 2027-01-01T09:00:00Z\nclaimed_by: bob\nclaimed_at: "
      "2027-01-01T09:00:00Z\nepoch: 6\n";
  auto const both = merged(free, ann, bob);
  CHECK(both.contains("claimed_by: bob\nclaimed_at: 2027-01-01T09:00:00Z\nepoch: 6\n"));
  CHECK(both.contains("updated: 2027-01-01T10:00:00Z\n"));
  CHECK(merged(free, bob, ann).contains("claimed_by: bob\n"));
  std::string const released = "status: todo\nupdated: 2027-01-01T11:00:00Z\nepoch: 7\n";
  CHECK_FALSE(merged(ann, bob, released).contains("claimed_by"));
}

TEST_CASE("Merge.KeepsTheLaterClaimWithoutEpochs") {
  std::string const free = "status: todo\n";
  std::string const ann = "status: todo\nclaimed_by: ann\nclaimed_at: 2027-01-01T10:00:00Z\n";
  std::string const bob = "status: todo\nclaimed_by: bob\nclaimed_at: 2027-01-01T12:00:00+01:00\n";
  CHECK(merged(free, ann, bob).contains("claimed_by: bob\n"));
  CHECK(merged(free, bob, ann).contains("claimed_by: bob\n"));
}

TEST_CASE("Merge.KeepsTheLaterOfTwoChangesOfOneValue") {
  std::string const was = "status: todo\nupdated: 2027-01-01T08:00:00Z\n";
  std::string const done = "status: done\nupdated: 2027-01-01T09:00:00Z\ncompleted: 2027-01-01T09:00:00Z\n";
  std::string const review = "status: review\nupdated: 2027-01-01T10:00:00Z\n";
  CHECK(merged(was, done, review) == task(review));
  CHECK(merged(was, review, done) == task(review));
}

TEST_CASE("Merge.KeepsWhatBothSidesAppended") {
  auto const written = [](std::string const& hour, std::string const& body) {
    return task("status: todo\nupdated: 2027-01-01T" + hour + ":00:00Z\n", body);
  };
  auto const base = written("08", "Brief\n");
  auto const ann = written("09", "Brief\n\nAnn was here\n"), bob = written("10", "Brief\n\nBob was here\n");
  auto const both = written("10", "Brief\n\nAnn was here\n\nBob was here\n");
  CHECK(merge_task_files({base, ann, bob}, never)->text == both);
  CHECK(merge_task_files({base, bob, ann}, never)->text == both);
  auto const changed = written("10", "Briefly\n\nBob was here\n");
  CHECK_FALSE(merge_task_files({base, ann, changed}, collide)->is_clean);
}

TEST_CASE("Merge.MergesBodiesByLines") {
  auto const with = [](std::string const& body) { return task("status: todo\n", body); };
  auto const one_side = merge_task_files({with("a\n"), with("a\n"), with("b\n")}, never);
  REQUIRE(one_side);
  CHECK(one_side->text == with("b\n"));
  auto const both = merge_task_files({with("a\n"), with("b\n"), with("c\n")}, collide);
  REQUIRE(both);
  CHECK_FALSE(both->is_clean);
  CHECK(both->text == with("<b\n|c\n>\n"));
}

TEST_CASE("Merge.RefusesWhatItCannotRead") {
  CHECK_FALSE(merge_task_files({task(""), task("tags: &x [a]\n"), task("")}, never));
  CHECK_FALSE(merge_task_files(
      {"", task("created: 2027-01-01T08:00:00Z\n"), task("created: 2027-01-02T08:00:00Z\n")}, never));
}

TEST_CASE("Merge.TakesTheHighestNextNumber") {
  auto const same = [](Sides const& sides) -> core::Result<Merged> {
    CHECK(sides.base == sides.ours);
    CHECK(sides.ours == sides.theirs);
    return Merged{sides.ours};
  };
  auto const out = merge_settings(
      {"version: 11\nnext_id: 3\n", "version: 11\nnext_id: 7\n", "version: 11\nnext_id: 5\n"}, same);
  REQUIRE(out);
  CHECK(out->text == "version: 11\nnext_id: 7\n");
}
