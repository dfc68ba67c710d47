#include "store/contract/stores.hpp"
#include "store/engine/unit/unit.hpp"
#include "store/engine/unit/write.hpp"
#include "store/postgres/open_postgres.hpp"
#include "store/postgres/opened.hpp"

using namespace andon;
using namespace andon::test;

namespace {

std::unique_ptr<store::Store> store_of(std::string const& schema) {
  return store::postgres::open_postgres(PrivatePostgres::instance().url() + "&schema=" + schema,
                                        store::exit_on_fatal, at_minute(0));
}

std::vector<core::TaskId> offered(store::Store& store, core::BoardId board) {
  std::vector<core::TaskId> out;
  store::write(store, [&](store::Tx& tx) {
    out.clear();
    tx.candidates({board, {"todo"}, {""}, ""}, at_minute(1), [&](core::Task const& task) {
      out.push_back(task.id);
      return false;
    });
    return store::Outcome::rollback;
  });
  return out;
}

}  // namespace

TEST_CASE("PostgresStore.KeepsTasksAndOffersThemInOrder" * store::postgres::without_server()) {
  auto const store = store_of("order");
  auto const board = add_board(*store);
  auto const later = add_task(*store, a_task("later").ready()).id;
  auto const sooner = add_task(*store, a_task("sooner").ready().priority("high")).id;
  CHECK(seen(*store, [&](auto& tx) { return tx.task(later)->title; }) == "later");
  CHECK(offered(*store, board) == std::vector{sooner, later});
  change_task(*store, sooner, [](core::Task& task) { task.status = "done"; });
  CHECK(offered(*store, board) == std::vector{later});
  auto const listed = seen(*store, [&](auto& tx) { return tx.list({}, {})->tasks.size(); });
  CHECK(listed == 2);
  keep(*store, [&](auto& tx) { tx.append(an_event()); });
  CHECK(seen(*store, [&](auto& tx) { return tx.events({}).size(); }) == 1);
}

TEST_CASE("PostgresStore.ServersSeeWhatOthersWrote" * store::postgres::without_server()) {
  auto const one = store_of("two_servers");
  auto const board = add_board(*one);
  auto const two = store_of("two_servers");
  std::vector<core::TaskId> ids;
  for (int n = 0; n < 10; ++n) ids.push_back(add_task(n % 2 == 0 ? *one : *two, a_task().ready()).id);
  CHECK(offered(*one, board) == ids);
  CHECK(offered(*two, board) == ids);
  change_task(*two, ids[0], [](core::Task& task) { task.status = "done"; });
  CHECK(offered(*one, board).front() == ids[1]);
  CHECK(seen(*one, [&](auto& tx) { return tx.load(board).columns.at("done"); }) == 1);
}
