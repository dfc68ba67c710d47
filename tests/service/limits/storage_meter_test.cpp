#include "service/limits/storage_meter.hpp"

#include <doctest/doctest.h>

using namespace andon;
using namespace std::chrono_literals;
using service::Stored;

namespace {

constexpr std::int64_t kMiB = 1LL << 20U;

service::Caller run_on(std::string board, std::int64_t run) {
  service::RunScope scope{.run = core::RunId{run}, .task = 1, .epoch = 1};
  scope.board = std::move(board);
  return {{core::ActorKind::worker, "coder"}, service::Role::run, core::Source::api, scope};
}

service::Caller a_runner() { return {{core::ActorKind::runner, "east"}, service::Role::runner, {}, {}}; }
service::Caller a_chat() { return {{core::ActorKind::telegram, "ann"}, service::Role::person, {}, {}}; }
service::Caller a_person() { return {{core::ActorKind::user, "ann"}, service::Role::person, {}, {}}; }

/// A meter whose time is stepped.
struct Metered {
  service::StorageMeter meter;
  core::Duration now = 1h;

  core::Result<void> take(service::Caller const& caller, Stored stored, std::int64_t bytes,
                          std::int64_t run = 0) {
    return meter.take(caller, {stored, bytes, core::RunId{run}}, now);
  }
  /// The bytes that a caller stores who tries writes of so many bytes each second.
  std::int64_t flood(service::Caller const& caller, Stored stored, core::Duration time,
                     std::int64_t bytes = kMiB, std::int64_t run = 0) {
    std::int64_t out = 0;
    for (auto const end = now + time; now < end; now += 1s)
      while (take(caller, stored, bytes, run)) out += std::max(bytes, service::kLeastStored);
    return out;
  }
};

}  // namespace

TEST_CASE("StorageMeter.BoundsWhatOneCredentialStoresInAnyTime") {
  for (auto const stored : {Stored::text, Stored::report, Stored::attachment, Stored::output})
    for (auto const& caller : {run_on("shop", 1), a_runner(), a_chat()})
      for (std::int64_t const bytes : {std::int64_t{1}, 100'000L, kMiB}) {
        Metered it;
        auto const& bound = service::bound_of(stored);
        bool const is_many = caller.role == service::Role::runner && stored != Stored::output;
        auto const runs = is_many ? service::kRunsOfRunner : 1;
        // The least writes would take a million of them for files.
        if (bytes == 1 && stored == Stored::attachment) continue;
        CHECK(it.flood(caller, stored, 1min, bytes) <= (bound.at_once + bound.per_minute) * runs);
        CHECK(it.flood(caller, stored, 1min, bytes) <= bound.per_minute * runs + kMiB);
      }
}

TEST_CASE("StorageMeter.SaysWhenToTryAgain") {
  Metered it;
  auto const run = run_on("shop", 1);
  it.flood(run, Stored::text, 1s);
  auto const refused = it.take(run, Stored::text, kMiB);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == core::Code::kRateLimited);
  it.now += 31s;
  CHECK(it.take(run, Stored::text, kMiB));
}

TEST_CASE("StorageMeter.CountsTheOutputOfEachRunOfARunner") {
  Metered it;
  it.flood(a_runner(), Stored::output, 1s, kMiB, 1);
  CHECK_FALSE(it.take(a_runner(), Stored::output, 2 * kMiB, 1));
  CHECK(it.take(a_runner(), Stored::output, 2 * kMiB, 2));
}

TEST_CASE("StorageMeter.CountsNoPersonAndForgetsWhoIsGone") {
  Metered it;
  for (int n = 0; n < 100; ++n) CHECK(it.take(a_person(), Stored::text, 100 * kMiB));
  CHECK(it.meter.counters() == 0);
  for (std::int64_t run = 1; run <= 50; ++run) CHECK(it.take(run_on("shop", run), Stored::report, 1));
  CHECK(it.meter.counters() == 50);
  it.now += 25h;
  CHECK(it.take(run_on("shop", 51), Stored::report, 1));
  CHECK(it.meter.counters() == 1);
}
