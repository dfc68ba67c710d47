#include "store/contract/attachment_files.hpp"
#include "store/contract/stores.hpp"
#include "store/engine/unit/unit.hpp"

using namespace andon;
using test::add_board;
using test::add_task;
using test::change_task;
using test::for_each_store;
using test::seen;
using test::StoreUnderTest;

namespace {

core::Attachment a_picture() {
  return {"0a1b2c3d4e5f6071", "shot 1.png",      4, "image/png", std::string(64, 'a'),
          "user:ann",         test::at_minute(3)};
}

store::AttachmentPlace place_of(core::TaskId task, std::string id = "0a1b2c3d4e5f6071") {
  return {{}, task, std::move(id), "shot 1.png"};
}

constexpr std::size_t kMost = 1000;
constexpr core::Instant kLater = core::Instant::max();

}  // namespace

TEST_CASE("Attachments.OfATaskAreKeptWithIt") {
  for_each_store([](StoreUnderTest& store) {
    add_board(*store);
    auto const id = add_task(*store).id;
    change_task(*store, id, [](core::Task& task) { task.attachments = {a_picture()}; });
    if (store.lasts()) store.reopen();
    auto const kept = seen(*store, [&](store::Tx& tx) { return tx.task(id)->attachments; });
    REQUIRE(kept.size() == 1);
    CHECK(kept.front() == a_picture());
    change_task(*store, id, [](core::Task& task) { task.attachments.clear(); });
    CHECK(seen(*store, [&](store::Tx& tx) { return tx.task(id)->attachments.empty(); }));
  });
}

TEST_CASE("Attachments.HaveContentsOfAnyBytes") {
  for_each_store([](StoreUnderTest& store) {
    auto* const files = store->attachment_files();
    if (!files) return;
    std::string const content{"\0\xff\xfe\r\n\x1a", 6};
    files->put(place_of(7), content);
    store.reopen();
    CHECK(store->attachment_files()->get(place_of(7), kMost) == content);
    CHECK_FALSE(store->attachment_files()->get(place_of(7), 5));
    CHECK_FALSE(store->attachment_files()->get(place_of(7, "ff"), kMost));
  });
}

TEST_CASE("Attachments.NeverOverwriteAContent") {
  for_each_store([](StoreUnderTest& store) {
    auto* const files = store->attachment_files();
    if (!files) return;
    files->put(place_of(7), "first");
    CHECK_THROWS_AS(files->put(place_of(7), "second"), store::StoreError);
    CHECK(files->get(place_of(7), kMost) == "first");
  });
}

TEST_CASE("Attachments.AreRemovedOneByOne") {
  for_each_store([](StoreUnderTest& store) {
    auto* const files = store->attachment_files();
    if (!files) return;
    files->put(place_of(7), "first");
    files->put(place_of(7, "ff"), "second");
    files->remove(place_of(7));
    files->remove(place_of(7));
    CHECK_FALSE(files->get(place_of(7), kMost));
    CHECK(files->get(place_of(7, "ff"), kMost) == "second");
  });
}

TEST_CASE("Attachments.AreListedInSlicesOfTasks") {
  for_each_store([](StoreUnderTest& store) {
    auto* const files = store->attachment_files();
    if (!files) return;
    for (int task = 1; task <= 5; ++task)
      files->put(place_of(core::TaskId{task}, "a" + std::to_string(task)), "x");
    files->put(place_of(2, "ff"), "y");
    // A board of files keeps no numbers of tasks with its contents.
    if (!store.holds_many_boards()) {
      CHECK(files->old_places(0, kLater, 10).places.empty());
      return;
    }
    auto const first = files->old_places(2, kLater, 2);
    CHECK(first.places.size() == 3);
    CHECK(first.next == core::TaskId{4});
    auto const rest = files->old_places(first.next, kLater, 2);
    REQUIRE(rest.places.size() == 2);
    CHECK(rest.places.front() == place_of(4, "a4"));
    CHECK(rest.next == core::TaskId{0});
    CHECK(files->old_places(0, core::Instant{}, 10).places.empty());
  });
}
