#include "runner/output/run_log.hpp"

#include <algorithm>
#include <fstream>

#include <doctest/doctest.h>

#include "runner/output/log_parts.hpp"
#include "support/scratch.hpp"

using namespace andon;
using namespace andon::runner;

namespace {

constexpr core::Instant kNow{core::Duration{1'800'000'000'000}};

std::vector<LogItem> all_of(std::filesystem::path const& dir, std::size_t page_bytes) {
  std::vector<LogItem> items;
  std::string cursor;
  while (true) {
    auto page = read_log(dir, cursor, page_bytes);
    items.insert(items.end(), page.items.begin(), page.items.end());
    if (!page.more) return items;
    REQUIRE(page.next != cursor);
    cursor = page.next;
  }
}

}  // namespace

TEST_CASE("RunLog.WhatWasWrittenIsReadInPages") {
  test::Scratch const scratch;
  RunLogWriter log{scratch.path(), {}};
  for (int i = 0; i < 500; ++i) log.write(kNow, "text", "line " + std::to_string(i) + " \x1b[1m\"q\"");
  log.flush();
  for (auto const page : {1U, 100U, 4096U, 1U << 20U}) {
    auto const items = all_of(scratch.path(), page);
    REQUIRE(items.size() == 500);
    CHECK(items[7].text == "line 7 \x1b[1m\"q\"");
    CHECK(items[7].at == kNow);
  }
}

TEST_CASE("RunLog.FollowersGoOnWhereTheyStopped") {
  test::Scratch const scratch;
  CHECK(read_log(scratch.path(), "", 100).items.empty());
  RunLogWriter log{scratch.path(), {}};
  log.write(kNow, "text", "one");
  log.flush();
  auto const first = read_log(scratch.path(), "", 1000);
  CHECK(first.items.size() == 1);
  CHECK_FALSE(first.more);
  CHECK(read_log(scratch.path(), first.next, 1000).items.empty());
  CHECK(read_log(scratch.path(), first.next, 1000).next == first.next);
  log.write(kNow, "tool", "two");
  log.flush();
  auto const second = read_log(scratch.path(), first.next, 1000);
  REQUIRE(second.items.size() == 1);
  CHECK(second.items[0].stream == "tool");
  CHECK(read_log(scratch.path(), "nonsense", 1000).items.size() == 2);
}

TEST_CASE("RunLog.KeepsItsFirstAndItsLastPart") {
  test::Scratch const scratch;
  LogLimits const limits{.first = 2000, .part = 5000, .parts = 3};
  RunLogWriter log{scratch.path(), {}, limits};
  for (int i = 0; i < 2000; ++i) {
    log.write(kNow, "stdout", "line " + std::to_string(i));
    log.flush();
  }
  std::uint64_t size = 0;
  for (auto const& part : log_parts(scratch.path())) size += part.size;
  CHECK(size < limits.first + (limits.parts + 1) * limits.part + 1000);
  auto const items = all_of(scratch.path(), 3000);
  CHECK(items.front().text == "line 0");
  CHECK(items.back().text == "line 1999");
  auto const gap = std::ranges::find(items, "andon", &LogItem::stream);
  REQUIRE(gap != items.end());
  CHECK(gap->text.find("bytes of output were dropped") != std::string::npos);
  CHECK(gap->at == kNow);
  CHECK(std::ranges::count(items, "andon", &LogItem::stream) == 1);
}

TEST_CASE("RunLog.ANewWriterGoesOnBehindTheOldOne") {
  test::Scratch const scratch;
  for (auto const* text : {"one", "two"}) {
    RunLogWriter log{scratch.path(), {}};
    log.write(kNow, "text", text);
    log.flush();
  }
  CHECK(all_of(scratch.path(), 1000).size() == 2);
}

TEST_CASE("RunLog.AWriterMayGoOnInTheLastPartOfTheOldOne") {
  test::Scratch const scratch;
  LogLimits const limits{.first = 2000, .part = 5000, .parts = 3};
  for (int i = 0; i < 2000; ++i) {
    RunLogWriter log{scratch.path(), {}, limits, LogBegin::last_part};
    log.write(kNow, "stdout", "line " + std::to_string(i));
    log.flush();
    CHECK(log.is_whole());
  }
  CHECK(log_parts(scratch.path()).size() <= limits.parts + 1);
  auto const items = all_of(scratch.path(), 3000);
  CHECK(items.front().text == "line 0");
  CHECK(items.back().text == "line 1999");
}

TEST_CASE("RunLog.NoWriterGoesOnInAHalfLine") {
  test::Scratch const scratch;
  std::ofstream{log_part_path(scratch.path(), 0)} << R"({"at":"2026-)";
  RunLogWriter log{scratch.path(), {}, {}, LogBegin::last_part};
  log.write(kNow, "text", "whole");
  log.flush();
  CHECK(log_parts(scratch.path()).size() == 2);
  CHECK(all_of(scratch.path(), 1000).back().text == "whole");
}

TEST_CASE("RunLog.IsCutAtAnOffset") {
  test::Scratch const scratch;
  LogLimits const limits{.first = 200, .part = 200, .parts = 9};
  RunLogWriter log{scratch.path(), {}, limits};
  log.write(kNow, "text", "kept");
  log.flush();
  auto const end = log_parts(scratch.path()).back().end();
  for (int i = 0; i < 20; ++i) {
    log.write(kNow, "text", "taken back");
    log.flush();
  }
  cut_log(scratch.path(), end);
  CHECK(log_parts(scratch.path()).back().end() == end);
  auto const items = all_of(scratch.path(), 10'000);
  REQUIRE(items.size() == 1);
  CHECK(items.front().text == "kept");
}

TEST_CASE("RunLog.SecretsNeverReachTheDisk") {
  test::Scratch const scratch;
  std::vector<std::string> const environment{"PATH=/usr/bin", "ANTHROPIC_API_KEY=sk-very-secret",
                                             "SHORT_KEY=abc"};
  RunLogWriter log{scratch.path(), Redactor::for_environment(environment, {"the-run-token"})};
  log.write(kNow, "stdout",
            "env: ANTHROPIC_API_KEY=sk-very-secret the-run-token andon_run_0123456789abcdefXYZ abc");
  log.write(kNow, "stdout", "andon_task stays");
  log.flush();
  auto const items = all_of(scratch.path(), 10'000);
  CHECK(items[0].text == "env: ANTHROPIC_API_KEY=[redacted] [redacted] [redacted] abc");
  CHECK(items[1].text == "andon_task stays");
}

TEST_CASE("RunLog.TheLastLineIsOneForPeople") {
  test::Scratch const scratch;
  CHECK(last_line(scratch.path()).empty());
  RunLogWriter log{scratch.path(), {}};
  log.write(kNow, "text", "All done.");
  log.write(kNow, "raw", "{}");
  log.write(kNow, "text", "  ");
  log.flush();
  CHECK(last_line(scratch.path()) == "All done.");
}

TEST_CASE("RunLog.ALongLineIsShortened") {
  test::Scratch const scratch;
  RunLogWriter log{scratch.path(), {}};
  log.write(kNow, "text", std::string(100'000, 'x'));
  log.flush();
  auto const items = all_of(scratch.path(), 10);
  REQUIRE(items.size() == 1);
  CHECK(items[0].text.size() < 17'000);
  CHECK(items[0].text.ends_with("more bytes)"));
}
