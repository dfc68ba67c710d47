#include "core/tasks/pick.hpp"

#include <algorithm>
#include <random>

#include <doctest/doctest.h>

#include "core/boards/templates.hpp"
#include "support/builders.hpp"

using namespace andon;
using test::a_board;
using test::a_task;
using test::at_minute;

namespace {

/// A plain reading of the dialect: `*` and `?` within a segment, `**` over segments, a folder covers what is
/// below.
bool matches(std::string_view glob, std::string_view path) {
  if (glob.empty()) return path.empty() || path.front() == '/';
  if (glob.starts_with("**"))
    for (std::size_t i = 0; i <= path.size(); ++i)
      if (matches(glob.substr(2), path.substr(i))) return true;
  if (glob.front() == '*')
    for (std::size_t i = 0; i <= path.size() && (i == 0 || path[i - 1] != '/'); ++i)
      if (matches(glob.substr(1), path.substr(i))) return true;
  if (path.empty()) return false;
  if (glob.front() == path.front() || (glob.front() == '?' && path.front() != '/'))
    return matches(glob.substr(1), path.substr(1));
  return false;
}

std::string random_path(std::mt19937& random, std::string_view letters) {
  std::string out;
  auto const segments = random() % 3 + 1;
  for (unsigned s = 0; s < segments; ++s) {
    if (s > 0) out += '/';
    if (letters.find('*') != std::string_view::npos && random() % 6 == 0) {
      out += "**";
      continue;
    }
    for (auto n = random() % 3 + 1; n > 0; --n) out += letters[random() % letters.size()];
  }
  return out;
}

}  // namespace

TEST_CASE("Pick.OrderIsClassDuePriorityRankId") {
  core::Board const board = a_board();
  auto const key = [&](core::Task task) { return core::pick_key(board, task); };
  CHECK(key(a_task().of_class("expedite").priority("low")) < key(a_task().of_class("fixed-date").due(1)));
  CHECK(key(a_task().of_class("fixed-date").due(1)) <
        key(a_task().of_class("fixed-date").due(2).priority("critical")));
  CHECK(key(a_task().of_class("fixed-date").due(2)) <
        key(a_task().of_class("fixed-date").priority("critical")));
  CHECK(key(a_task().due(5)) == key(a_task().due(1)));
  CHECK(key(a_task().of_class("standard")) == key(a_task()));
  CHECK(key(a_task().of_class("unknown")) == key(a_task()));
  CHECK(key(a_task().priority("high").ranked("z")) < key(a_task().priority("low").ranked("a")));
  CHECK(key(a_task().ranked("a")) < key(a_task().ranked("b")));
  CHECK(key(a_task()) < key(a_task().of_class("intangible").priority("critical")));
}

TEST_CASE("Pick.OrderPutsThePreferredClassFirst") {
  core::Board const board = a_board();
  auto const key = [&](core::Task task, std::string_view first) {
    return core::pick_key(board, task, first);
  };
  core::Task const urgent = a_task().of_class("expedite"), usual = a_task().of_class("standard");
  CHECK(key(usual, "standard") < key(urgent, "standard"));
  for (auto const* first : {"", "expedite", "unknown"}) CHECK(key(urgent, first) < key(usual, first));
}

TEST_CASE("Pick.ATaskIsPickableFromWhenNothingOfItsOwnStandsInTheWay") {
  auto const from = [](core::Task task) {
    task.stage = core::Stage::ready;
    return core::pickable_from(task);
  };
  CHECK(from(a_task()) == core::Instant{});
  CHECK(from(a_task().not_before(at_minute(5))) == at_minute(5));
  CHECK(from(a_task().claimed_by("bob", at_minute(7)).not_before(at_minute(5))) == at_minute(7));
  CHECK_FALSE(from(a_task().claimed_by("bob", std::nullopt)));
  CHECK_FALSE(from(a_task().blocked()));
  CHECK_FALSE(from(a_task().waiting_for(2)));
  core::Task done = a_task();
  done.stage = core::Stage::done;
  CHECK_FALSE(core::pickable_from(done));
}

TEST_CASE("Pick.LanesOfAPickerHoldWhatFitsIt") {
  core::Board const board = a_board();
  for (auto const& picker : {core::Picker{"dev", "coder", true, true},
                             core::Picker{"dev", "coder", true, false}, core::Picker{"dev", "", true, true},
                             core::Picker{"bob", "", false, true}, core::Picker{"bob", "qa", false, true}})
    for (auto const* assignee : {"", "dev", "dev2", "bob", "eve"})
      for (auto const* role : {"", "coder", "qa"}) {
        core::Task const task = a_task().assigned_to(assignee).for_role(role);
        auto const queue_keys = core::queue_keys(board, picker);
        bool const in_lane = std::ranges::find(queue_keys, core::queue_key(board, task)) != queue_keys.end();
        CAPTURE(picker.name);
        CAPTURE(assignee);
        CAPTURE(role);
        CHECK(core::fits(picker, task) == in_lane);
      }
  core::Picker const dev{"dev", "coder", true, false};
  CHECK(core::fits(dev, a_task().assigned_to("dev")));
  CHECK_FALSE(core::fits(dev, a_task().assigned_to("dev2")));
  CHECK(core::fits(dev, a_task().for_role("coder")));
  CHECK_FALSE(core::fits(dev, a_task().for_role("qa")));
  CHECK_FALSE(core::fits(dev, a_task()));
}

TEST_CASE("Pick.WhatNoPersonHasReadWaitsInLanesOfPeople") {
  core::Board board = a_board();
  core::Picker const dev{"dev", "coder", true, true}, ann{"ann", "", false, true, true};
  core::Task task = a_task().for_role("coder");
  CHECK(core::queue_key(board, task) == "r:coder");
  CHECK(core::queue_keys(board, ann) == std::vector<std::string>{"w:ann", ""});
  board.directory = "/files";
  CHECK(core::queue_key(board, task) == "u:r:coder");
  CHECK(core::queue_keys(board, ann) == std::vector<std::string>{"w:ann", "", "u:w:ann", "u:"});
  CHECK(core::queue_keys(board, dev) == std::vector<std::string>{"w:dev", "r:coder", ""});
  task.approved = true;
  CHECK(core::queue_key(board, task) == "r:coder");
  task.approved = false;
  board.approval = core::Approval::trusted;
  board.trusted = {"file"};
  CHECK(core::queue_key(board, task) == "r:coder");
}

TEST_CASE("Globs.MeetWhereTheyCanNameTheSameFile") {
  for (auto const& [a, b] : {std::pair{"src/**", "src/a/b.cpp"},
                             {"src", "src/a"},
                             {"src/", "./src/a"},
                             {"*.cpp", "a.*"},
                             {"src/*/x", "src/a/x"},
                             {"", "anything"},
                             {"src/{a,b}.cpp", "src/a.cpp"},
                             {"src/../lib", "lib/a"},
                             {"src/**.cpp", "src/a/b.cpp"},
                             {"a[0-9].c", "a1.c"},
                             {"**/x", "y"}})
    CHECK_MESSAGE(core::globs_overlap(a, b), a << " " << b);
  for (auto const& [a, b] : {std::pair{"src/a", "src/b"},
                             {"src/*.cpp", "src/*.hpp"},
                             {"docs", "src/**"},
                             {"a?", "b?"},
                             {"src/a.cpp", "src/a.c"}})
    CHECK_MESSAGE(!core::globs_overlap(a, b), a << " " << b);
}

TEST_CASE("Globs.OverlapIsSymmetricAndNeverMissesAFile") {
  std::mt19937 random{3};
  int met = 0;
  for (int i = 0; i < 60'000; ++i) {
    auto const a = random_path(random, "ab*?"), b = random_path(random, "ab*?"),
               path = random_path(random, "ab");
    bool const overlap = core::globs_overlap(a, b);
    REQUIRE(overlap == core::globs_overlap(b, a));
    if (!matches(a, path) || !matches(b, path)) continue;
    ++met;
    REQUIRE_MESSAGE(overlap, a << " and " << b << " both name " << path);
  }
  CHECK(met > 100);
}
