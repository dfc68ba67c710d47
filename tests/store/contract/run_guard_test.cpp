#include "store/contract/stores.hpp"
#include "store/engine/unit/unit.hpp"

using namespace andon;
using namespace andon::test;

TEST_CASE("RunGuards.ComeBackAsTheyWerePutAndGoWithTheirRuns") {
  for_each_store([](StoreUnderTest& store) {
    add_board(*store);
    auto const task = add_task(*store);
    core::Run run;
    run.task = task.id;
    run.board = "shop";
    auto const id = keep(*store, [&](auto& tx) { return tx.add(run); });
    CHECK_FALSE(seen(*store, [&](auto& tx) { return tx.guard(id); }));
    core::RunGuard guard{"key", "/groups", "1:2", {}, "claude", "/runs/1/work"};
    keep(*store, [&](auto& tx) { tx.put(id, guard); });
    guard.place = core::WorkPlace{"/tree", "/git/own", "/git", "1:3", "1:4", "1:5"};
    keep(*store, [&](auto& tx) { tx.put(id, guard); });
    if (store.lasts()) store.reopen();
    auto const kept = seen(*store, [&](auto& tx) { return tx.guard(id); });
    REQUIRE(kept);
    CHECK(kept->seal == "key");
    CHECK(kept->cgroups == "/groups");
    CHECK(kept->input == "1:2");
    CHECK(kept->place == guard.place);
    CHECK(kept->agent == "claude");
    CHECK(kept->cwd == "/runs/1/work");
  });
}

TEST_CASE("Runs.KeepTheSizeOfTheirWorkAndWhatBecameOfIt") {
  for_each_store([](StoreUnderTest& store) {
    add_board(*store);
    core::Run run;
    run.task = add_task(*store).id;
    run.board = "shop";
    run.id = keep(*store, [&](auto& tx) { return tx.add(run); });
    CHECK_FALSE(seen(*store, [&](auto& tx) { return tx.run(run.id); })->diff_size);
    run.diff_size = core::DiffSize{4, 96, 12};
    run.landing = core::Landing{
        core::LandingState::returned, "conflict", {}, {}, at_minute(1), "main", {"a.txt", "b.txt"}};
    keep(*store, [&](auto& tx) { tx.put(run); });
    if (store.lasts()) store.reopen();
    auto const kept = seen(*store, [&](auto& tx) { return tx.run(run.id); });
    REQUIRE(kept);
    CHECK(kept->diff_size == run.diff_size);
    CHECK(kept->landing == run.landing);
  });
}
