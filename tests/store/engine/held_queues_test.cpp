#include "store/engine/counters/held_queues.hpp"

#include <doctest/doctest.h>

#include "support/builders.hpp"

using namespace andon;
using core::PickKey;
using store::engine::HeldQueues;
using store::engine::Part;
using store::engine::Queue;

namespace {

Queue const kPlain{1, "todo", ""};
Queue const kTagged{1, "todo", "", "qa"};
Queue const kOfRole{1, "todo", "r:qa"};
Queue const kOther{2, "todo", ""};
core::Instant const kStart = test::at_minute(0), kEnd = test::at_minute(10);

PickKey key(int priority, core::TaskId id) { return {2, 0, priority, "a", id}; }

/// Queues that begin with held tasks up to (1, 5).
HeldQueues held() {
  HeldQueues out;
  for (auto const& queue : {kPlain, kTagged, kOfRole, kOther}) out.extend(queue, key(1, 5), kEnd);
  return out;
}

}  // namespace

TEST_CASE("HeldQueues.ArePassedUntilFilesMayComeBackByThemselves") {
  auto const queues = held();
  CHECK(queues.from(kPlain, kStart) == key(1, 6));
  CHECK(queues.from(kPlain, kEnd) < key(-1, 0));
  CHECK(queues.from({1, "doing", ""}, kStart) < key(-1, 0));
}

TEST_CASE("HeldQueues.ATaskThatComesIsLookedAtWhereverItStands") {
  auto queues = held();
  queues.enter(1, "todo", "", key(0, 9));
  CHECK(queues.from(kPlain, kStart) == key(0, 9));
  CHECK(queues.from(kTagged, kStart) == key(0, 9));
  CHECK(queues.from(kOfRole, kStart) == key(1, 6));
  CHECK(queues.from(kOther, kStart) == key(1, 6));
  queues.enter(1, "todo", "", key(3, 10));
  CHECK(queues.from(kPlain, kStart) == key(0, 9));
}

TEST_CASE("HeldQueues.FilesGivenBackFreeTheirBoard") {
  auto queues = held();
  queues.free(1);
  CHECK(queues.from(kPlain, kStart) < key(-1, 0));
  CHECK(queues.from(kTagged, kStart) < key(-1, 0));
  CHECK(queues.from(kOther, kStart) == key(1, 6));
}
