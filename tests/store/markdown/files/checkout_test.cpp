#include <functional>

#include "store/engine/unit/unit.hpp"
#include "store/markdown/markdown_store.hpp"
#include "store/markdown/test_board.hpp"
#include "store/sqlite/driver/sqlite_index_opener.hpp"

using namespace andon;
using namespace andon::test;

namespace {

/// Does something at the n-th time it is read.
struct ActingClock final : os::SystemClock {
  core::Instant now() const override {
    if (left > 0 && --left == 0) act();
    return os::SystemClock::now();
  }
  mutable int left = 0;
  std::function<void()> act;
};

constexpr int kMostReads = 20;

/// A checkout that has taken the tasks away and emptied the settings, and goes on at the n-th look at the
/// clock.
void begin_checkout(TestBoard const& app, ActingClock& clock, int n) {
  auto const settings = ByHand::read(app.path("config.yml"));
  ByHand::write(app.path(".git/index.lock"), "");
  ByHand::write(app.path("config.yml"), "");
  std::filesystem::rename(app.path("tasks"), app.path("away"));
  clock.act = [&app, settings] {
    ByHand::write(app.path("config.yml"), settings);
    REQUIRE_FALSE(std::filesystem::exists(app.path("tasks")));  // git would stop here
    std::filesystem::rename(app.path("away"), app.path("tasks"));
    std::filesystem::rename(app.path(".git/index.lock"), app.path(".git/index"));
  };
  clock.left = n;
}

}  // namespace

TEST_CASE("Checkout.IsWaitedForByReadersAndWritersHoweverFarItIs") {
  TestBoard app;
  add_task(app.store(), a_task("First"));
  app.close();
  std::filesystem::create_directories(app.path(".git"));
  ByHand::write(app.path(".git/index"), "one");
  ActingClock clock;
  store::sqlite::SqliteIndexOpener const indexes;
  store::markdown::MarkdownStore store{app.path(""), store::exit_on_fatal, store::pass_over, indexes, clock};
  for (int n = 1; n <= kMostReads; ++n) {
    CAPTURE(n);
    begin_checkout(app, clock, n);
    CHECK(seen(store, [](store::Tx& tx) { return tx.task(1)->title; }) == "First");
    if (clock.left == 0) begin_checkout(app, clock, n);
    CHECK(add_task(store, a_task("Next")).id == n + 1);
    if (clock.left > 0) clock.act();
    clock.left = 0;
  }
}
