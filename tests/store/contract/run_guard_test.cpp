#include "store/contract/stores.hpp"

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
