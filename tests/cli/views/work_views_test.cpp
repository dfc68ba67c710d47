#include "cli/views/work_views.hpp"

#include <doctest/doctest.h>

#include "cli/views/paper.hpp"
#include "cli/views/team_views.hpp"

using namespace andon;
using test::Paper;

TEST_CASE("WorkViews.ADiffShowsItsFilesAndLosesWhatATerminalWouldActOn") {
  Paper const paper;
  service::RunDiff diff;
  diff.run = 911;
  diff.task = 42;
  diff.branch = "andon/42-cart";
  diff.commits = {"c1"};
  diff.files = {{"src/cart.cpp", 2, 1, false}, {"logo.png", 0, 0, true}};
  diff.diff = "diff --git a/x b/x\n@@ -1 +1 @@\n-one\n+two \x1b[2J\n";
  CHECK(cli::diff_page(diff, paper.screen) ==
        "Run 911 of #42 on andon/42-cart: 1 commit, 2 files, +2 -1\n"
        "  src/cart.cpp +2 -1\n"
        "  logo.png (binary)\n"
        "\n"
        "diff --git a/x b/x\n@@ -1 +1 @@\n-one\n+two \\x1b[2J\n");
}

TEST_CASE("WorkViews.FilesAreCountedOnlyWhereSomeChanged") {
  Paper const paper;
  service::RunDiff diff;
  diff.run = 911;
  diff.task = 42;
  diff.branch = "andon/42-cart";
  diff.commits = {"c1"};
  CHECK(cli::diff_page(diff, paper.screen).starts_with("Run 911 of #42 on andon/42-cart: 1 commit\n"));
  Paper plain;
  cli::Screen const compact{plain.env, cli::Format::compact, false, false};
  core::Run run;
  run.id = 1;
  run.ended = core::Instant{};
  CHECK_FALSE(cli::run_list({{run}}, compact).contains("files"));
  run.files_changed = 2;
  CHECK(cli::run_list({{run}}, compact).contains(" files:2"));
}

TEST_CASE("WorkViews.TreesAndTheQueueTellWhatTheyWaitFor") {
  Paper const paper;
  service::WorkList work;
  CHECK(cli::work_page(work, paper.screen) == "Work trees take 0 B of 0 B.\n");
  work.trees = {{"shop", 42, "Cart", "andon/42-cart", "/data/work/shop/42-cart", service::WorkState::kept,
                 3 << 19, true, 2, ""}};
  work.queue = {{"shop", 41, "Basket", 911, "andon/41-basket", {}, "local changes on main"}};
  work.bytes = 3 << 19;
  work.limit = std::int64_t{20} << 30;
  auto const page = cli::work_page(work, paper.screen);
  for (auto const* part :
       {"#42", "kept, dirty, 2 to land", "Work trees take 1.5 MiB of 20.0 GiB.",
        "Waits to be landed: #41 Basket (andon/41-basket, since ", "): local changes on main"})
    CHECK(page.find(part) != std::string::npos);
}

TEST_CASE("WorkViews.AQuestionBeforeALandingShowsItsLinesAndTheAnswers") {
  Paper const paper;
  service::WorkList work;
  service::QueuedWork asked{"shop", 41, "Basket", 911, "andon/41-basket", {}, "1 line", true};
  asked.findings = {{"hidden_text", 10, 0, {"a.c"}, std::vector<std::string>(10, "a.c:1: \x1b[2J\nx")},
                    {"lines", 20'000, 10'000}};
  work.queue = {asked};
  auto const page = cli::work_page(work, paper.screen);
  CHECK(page.contains("(at most 0): a.c\n    a.c:1: \\x1b[2J\\nx\n"));
  CHECK(page.contains("    and 2 more\n  20000 lines changed (at most 10000)\n  look: andon diff 41\n"));
  CHECK(page.ends_with("  answer: andon work land 41, or: andon work reject 41 --reason TEXT\n"));
  work.queue.front().findings.push_back({"known_secrets", 1, 0, {}});
  CHECK(cli::work_page(work, paper.screen)
            .ends_with("andon work land 41, without its history: andon work land 41 --squash, or: andon work "
                       "reject 41 --reason TEXT\n"));
  service::RunDiff diff;
  diff.task = 41;
  CHECK_FALSE(cli::diff_page(diff, paper.screen).contains("lands"));
  diff.findings = asked.findings;
  CHECK(cli::diff_page(diff, paper.screen).contains("Asks whether it lands:\n  10 "));
  CHECK(cli::diff_page(diff, paper.screen).contains("    a.c:1: \\x1b[2J\\nx\n"));
}

TEST_CASE("WorkViews.WhatWasCleanedAndWhatWasKeptIsTold") {
  Paper const paper;
  service::WorkCleaned cleaned;
  cleaned.removed = {{"shop", 41, "", "andon/41-a", "", service::WorkState::landed, 2048, false, 0, ""}};
  cleaned.kept = {{"shop", 42, "", "andon/42-b", "", service::WorkState::kept, 0, true, 0, "it is dirty"}};
  cleaned.freed = 2048;
  CHECK(cli::cleaned_page(cleaned, paper.screen) ==
        "removed #41 shop andon/41-a [landed] 2.0 KiB\n"
        "kept #42 shop andon/42-b [kept, dirty] 0 B it is dirty\n"
        "Freed 2.0 KiB.\n");
}
