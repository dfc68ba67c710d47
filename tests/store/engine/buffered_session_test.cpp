#include <atomic>

#include "store/contract/stores.hpp"
#include "store/engine/unit/unit.hpp"
#include "store/memory_driver/hooked_driver.hpp"

using namespace andon;
using namespace andon::test;
using store::engine::Rights;

TEST_CASE("Buffers.AreWrittenWhenTheyAreFull") {
  std::atomic<int> writes = 0;
  auto const count = [&](Rights rights, SessionCall call) {
    if (rights == Rights::write && call == SessionCall::write) ++writes;
  };
  auto driver = std::make_shared<HookedDriver>(std::make_shared<MemoryDriver>(), DriverHooks{count, {}});
  store::engine::DriverStore store{driver, nullptr, [](auto) {}, store::engine::ReadingSessions::many};
  add_board(store);
  writes = 0;
  keep(store, [](store::Tx& tx) {
    for (int i = 0; i < 1'000; ++i) tx.add(core::Task(a_task().ready()));
  });
  CHECK(writes >= 4);
  CHECK(writes <= 8);
  CHECK(seen(store, [](auto& tx) { return tx.task(1'000).has_value(); }));
}
