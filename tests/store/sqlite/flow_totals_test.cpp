#include "store/engine/flow_totals.hpp"

#include <doctest/doctest.h>

#include "store/contract/store.hpp"
#include "store/engine/counters/counting.hpp"
#include "store/engine/unit/unit.hpp"
#include "store/engine/unit/write.hpp"
#include "store/open.hpp"
#include "store/sql/rows/shared_queries.hpp"
#include "store/sqlite/counters/tallies.hpp"
#include "store/sqlite/database/schema.hpp"
#include "store/sqlite/schema_steps.hpp"
#include "store/sqlite/session/sqlite_session.hpp"
#include "support/builders.hpp"
#include "support/scratch.hpp"

using namespace andon;
using namespace andon::store::sqlite;
using store::engine::bucket_of;
using store::engine::time_of_bucket;

namespace {

/// Six done tasks with their moves, a run, and tags.
void fill(std::string const& path) {
  auto const store = store::open_store("sqlite:" + path);
  store::write(*store, [](store::Tx& tx) {
    tx.add(core::Board(test::a_board()));
    for (int n = 0; n < 6; ++n) {
      core::Task task = test::a_task().in("done").tagged("api").assigned_to("ann").due(20'000);
      task.started = test::at_minute(n);
      task.completed = test::at_minute(10 * n + 30);
      auto const id = tx.add(task).id;
      core::Event event;
      event.kind = core::EventKind::task_completed;
      event.board = "shop";
      event.task = id;
      event.from = "doing";
      event.to = "done";
      event.ts = *task.completed;
      tx.append(event);
      core::Run run;
      run.task = id;
      run.board = "shop";
      run.worker = "bob";
      run.state = core::RunState::ended;
      run.ended = task.completed;
      run.started = *task.started;
      tx.add(run);
    }
    return store::Outcome::commit;
  });
}

std::string totals_of(std::string const& path) {
  auto const store = store::open_store("sqlite:" + path);
  std::string out;
  store->read([&](store::Tx& tx) {
    auto const board = tx.board("shop")->id;
    for (auto const& total : tx.move_totals(board, {}))
      out += std::to_string(total.at.time_since_epoch().count()) + total.from + ">" + total.to +
             std::to_string(total.n) + " ";
    for (auto const& total : tx.finished_totals(board, {}))
      out += std::to_string(total.at.time_since_epoch().count()) + total.worker + std::to_string(total.n) +
             "/" + std::to_string(total.cycle.count()) + " ";
    for (auto const& [time, n] : tx.time_spreads(board, {}).lead) out += std::to_string(n) + " ";
    for (auto const& total : tx.run_totals("shop", {}))
      out += total.worker + std::to_string(total.runs) + " ";
    for (auto const facet : {store::Facet::tag, store::Facet::assignee, store::Facet::parent})
      for (auto const& tally : tx.tally(board, {"done"}, facet, core::Date{}))
        out += tally.value + std::to_string(tally.count) + " ";
  });
  return out;
}

}  // namespace

TEST_CASE("FlowTotals.BucketsAreNarrowAndInOrder") {
  int last = -1;
  for (std::int64_t seconds = 0; seconds < 40'000'000; seconds += 1 + seconds / 50) {
    core::Duration const time = std::chrono::seconds{seconds};
    auto const bucket = bucket_of(time);
    CHECK(bucket >= last);
    last = bucket;
    auto const middle = static_cast<double>(time_of_bucket(bucket).count());
    CHECK(middle == doctest::Approx(static_cast<double>(time.count())).epsilon(0.035));
  }
}

TEST_CASE("FlowTotals.OfOlderDatabasesAreMadeWhenTheyAreOpened") {
  test::Scratch scratch;
  auto const path = (scratch / "andon.db").native();
  fill(path);
  auto const before = totals_of(path);
  CHECK(before.find("bob6") != std::string::npos);
  {
    Connection db{path, Mode::owner};
    test::take_back(db, 12);
  }
  CHECK(totals_of(path) == before);
  Connection db{path, Mode::owner};
  CHECK(wrong_tallies(db) == 0);
}

TEST_CASE("Tallies.ThatAreWrongAreFound") {
  test::Scratch scratch;
  auto const path = (scratch / "andon.db").native();
  fill(path);
  SqliteSession session{std::make_unique<Connection>(path, Mode::owner)};
  auto& db = session.connection();
  store::engine::settle_counts(session, [](std::string_view) { return nullptr; }, last_seq(db), 0);
  CHECK(wrong_tallies(db) == 0);
  db.execute("UPDATE tally SET n = n + 1 WHERE facet = 'tag'");
  CHECK(wrong_tallies(db) == 1);
}
