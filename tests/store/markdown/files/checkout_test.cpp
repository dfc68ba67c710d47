#include <functional>

#include "store/markdown/board_house.hpp"
#include "store/markdown/markdown_store.hpp"

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
void begin_checkout(BoardHouse const& house, ActingClock& clock, int n) {
  auto const settings = ByHand::read(house.path("config.yml"));
  ByHand::write(house.path(".git/index.lock"), "");
  ByHand::write(house.path("config.yml"), "");
  std::filesystem::rename(house.path("tasks"), house.path("away"));
  clock.act = [&house, settings] {
    ByHand::write(house.path("config.yml"), settings);
    REQUIRE_FALSE(std::filesystem::exists(house.path("tasks")));  // git would stop here
    std::filesystem::rename(house.path("away"), house.path("tasks"));
    std::filesystem::rename(house.path(".git/index.lock"), house.path(".git/index"));
  };
  clock.left = n;
}

}  // namespace

TEST_CASE("Checkout.IsWaitedForByReadersAndWritersHoweverFarItIs") {
  BoardHouse house;
  add_task(house.store(), a_task("First"));
  house.close();
  std::filesystem::create_directories(house.path(".git"));
  ByHand::write(house.path(".git/index"), "one");
  ActingClock clock;
  store::markdown::MarkdownStore store{house.path(""), store::exit_on_fatal, store::pass_over, clock};
  for (int n = 1; n <= kMostReads; ++n) {
    CAPTURE(n);
    begin_checkout(house, clock, n);
    CHECK(seen(store, [](store::Tx& tx) { return tx.task(1)->title; }) == "First");
    if (clock.left == 0) begin_checkout(house, clock, n);
    CHECK(add_task(store, a_task("Next")).id == n + 1);
    if (clock.left > 0) clock.act();
    clock.left = 0;
  }
}
