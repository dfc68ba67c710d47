#include "service/limits/storage_totals.hpp"

#include "service/test_app.hpp"
#include "store/engine/unit/unit.hpp"

using namespace andon;
using namespace andon::test;
using namespace std::chrono_literals;
using service::Stored;

namespace {

constexpr std::int64_t kOneMiB = 1LL << 20U;

/// A board whose runs store, under a clock that is stepped.
struct MeteredBoard {
  TestApp app{"queue"};

  explicit MeteredBoard(int workers) {
    for (int n = 1; n <= workers; ++n) app.add_worker("w" + std::to_string(n));
  }
  core::Run start(int worker) {
    auto const name = "w" + std::to_string(worker);
    app.create("T", {.status = "ready", .assignee = name});
    return app.start(name);
  }
  core::Result<void> count(service::Caller const& caller, Stored stored, std::int64_t bytes) {
    core::Result<void> out;
    app.executor.write(
        [&](service::OperationContext& ctx) {
          out = service::count_stored(ctx, stored, bytes);
          return out.has_value();
        },
        caller);
    return out;
  }
  /// The bytes that were let through of many writes.
  std::int64_t flood(core::Run const& run, Stored stored) {
    auto const bytes = service::bound_of(stored).of_run / 16;
    std::int64_t out = 0;
    while (count(agent(run), stored, bytes)) out += bytes;
    return out;
  }
  std::string kept() {
    std::string out;
    app.executor.read([&](service::OperationContext& ctx) {
      for (auto const& [name, value] : ctx.tx.settings())
        if (name.starts_with("stored.board.")) out += value;
    });
    return out;
  }
};

}  // namespace

TEST_CASE("StorageTotals.BoundARunAndTheRunsOfABoardInADay") {
  for (auto const stored : {Stored::text, Stored::attachment}) {
    MeteredBoard it{1};
    auto const& bound = service::bound_of(stored);
    std::int64_t all = 0;
    core::Run last;
    for (int n = 0; n < 30 && all < bound.of_board_day; ++n) {
      if (n > 0) it.app.finish(last);
      last = it.start(1);
      auto const one = it.flood(last, stored);
      CHECK(one <= bound.of_run);
      all += one;
    }
    CHECK(all <= bound.of_board_day);
    CHECK(all > bound.of_board_day - bound.of_run);
    it.app.finish(last);
    last = it.start(1);
    auto const refused = it.count(agent(last), stored, bound.of_run / 16);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == core::Code::kNoSpace);
    it.app.clock.advance(23h);
    CHECK_FALSE(it.count(agent(last), stored, bound.of_run / 16));
    it.app.clock.advance(1h);
    CHECK(it.count(agent(last), stored, kOneMiB));
  }
}

TEST_CASE("StorageTotals.OfARunGoOnAfterADay") {
  MeteredBoard it{1};
  auto const run = it.start(1);
  it.flood(run, Stored::text);
  it.app.clock.advance(25h);
  CHECK_FALSE(it.count(agent(run), Stored::text, 1));
  CHECK(it.count(agent(run), Stored::attachment, 1));
  CHECK(it.count(agent(run), Stored::report, 64 << 10));
}

TEST_CASE("StorageTotals.OfRunsThatEndedLeaveNothingBehind") {
  MeteredBoard it{2};
  auto const long_one = it.start(2);
  REQUIRE(it.count(agent(long_one), Stored::text, kOneMiB));
  for (int n = 0; n < 20; ++n) {
    auto const run = it.start(1);
    CHECK(it.count(agent(run), Stored::text, kOneMiB));
    it.app.finish(run);
  }
  CHECK(it.kept().size() < 300);
  CHECK(it.kept().contains("\"run\":" + std::to_string(long_one.id)));
}

TEST_CASE("StorageTotals.CountNobodyButRuns") {
  MeteredBoard it{1};
  for (auto const role : {service::Role::person, service::Role::runner}) {
    service::Caller const caller{{core::ActorKind::runner, "east"}, role, {}, {}};
    CHECK(it.count(caller, Stored::text, 100'000 * kOneMiB));
  }
  CHECK(it.kept().empty());
}
