#include "store/contract/examination.hpp"

#include <atomic>
#include <thread>

#include "store/contract/stores.hpp"
#include "store/engine/unit/unit.hpp"
#include "support/scratch.hpp"

using namespace andon;
using namespace andon::test;

TEST_CASE("Examination.FindsNothingWrongWhileTheServerChangesTasks") {
  Scratch scratch;
  auto const file = scratch / "andon.db";
  auto const store = store::open_store("sqlite:" + file.native());
  auto const shop = add_board(*store);
  keep(*store, [](store::Tx& tx) {
    for (int n = 0; n < 400; ++n) tx.add(core::Task(a_task().ready().tagged("api").due(20'000)));
  });
  keep(*store, [&](store::Tx& tx) {
    auto board = *tx.board(shop);
    board.settling = 0;
    tx.put(board);
  });
  std::atomic<bool> is_over = false;
  std::thread server{[&] {
    for (int n = 0; !is_over; ++n)
      keep(*store, [&](store::Tx& tx) {
        for (auto const& task : tx.unsettled(shop, 20)) tx.settle(task.id);
        for (int id = 1; id <= 20; ++id) {
          auto task = *tx.task(core::TaskId{1 + (n * 20 + id) % 400});
          task.status = task.status == "todo" ? "doing" : "todo";
          task.rev = core::next(task.rev);
          tx.put(task);
        }
      });
  }};
  int faults = 0;
  for (int look = 0; look < 40; ++look)
    for (auto const& finding : store::examine_database(file))
      faults += finding.kind == store::Finding::Kind::fault;
  is_over = true;
  server.join();
  CHECK(faults == 0);
}

TEST_CASE("Examination.ReadsTheNamesOfBoardsBesideAServer") {
  Scratch scratch;
  auto const file = scratch / "andon.db";
  CHECK_FALSE(store::board_names(file).has_value());
  auto const store = store::open_store("sqlite:" + file.native());
  CHECK(store::board_names(file) == std::vector<std::string>{});
  auto const shop = add_board(*store);
  std::string name;
  keep(*store, [&](store::Tx& tx) { name = tx.board(shop)->name; });
  CHECK(store::board_names(file) == std::vector{name});
}
