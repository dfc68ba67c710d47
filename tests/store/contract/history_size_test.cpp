#include <algorithm>

#include "store/contract/stores.hpp"
#include "store/engine/unit/unit.hpp"

using namespace andon;
using namespace andon::test;
using core::EventKind;

namespace {

using Seqs = std::vector<core::EventSeq>;
constexpr int kManyEvents = 12'000;  // beyond what is walked through whatever is asked

/// What a walk over everything finds.
Seqs expected(std::vector<core::Event> const& all, store::EventFilter const& filter) {
  Seqs out;
  for (auto const& event : all) {
    bool const is_on_board = filter.boards.empty() || event.board.empty() ||
                             std::ranges::find(filter.boards, event.board) != filter.boards.end();
    bool const fits = event.seq > filter.after && is_on_board &&
                      (!filter.kind || event.kind == *filter.kind) &&
                      (!filter.since || event.ts >= *filter.since);
    if (fits) out.push_back(event.seq);
  }
  if (out.size() <= filter.limit) return out;
  return filter.newest ? Seqs(out.end() - static_cast<std::ptrdiff_t>(filter.limit), out.end())
                       : Seqs(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(filter.limit));
}

}  // namespace

TEST_CASE("Events.OfALongHistoryAreThoseOfAWalkOverAll") {
  StoreUnderTest store{KindOfStore::memory};
  add_board(*store);
  constexpr std::array kKinds{EventKind::task_edited, EventKind::task_noted, EventKind::task_claimed};
  keep(*store, [&](store::Tx& tx) {
    for (int n = 0; n < kManyEvents; ++n) {
      auto event =
          an_event(n % 4'000 == 17 ? EventKind::task_killed : kKinds[static_cast<std::size_t>(n) % 3], 1);
      event.board = n % 5 == 0 ? "shop" : n % 7 == 0 ? "" : "other";
      event.ts = at_minute(n % 1'000 == 5 ? n - 90 : n);  // the clock steps back now and then
      tx.append(event);
    }
  });
  auto const all = seen(*store, [](auto& tx) { return tx.events({0, {}, {}, {}, {}, kManyEvents, false}); });
  REQUIRE(all.size() == kManyEvents);
  for (bool const newest : {false, true})
    for (auto const& boards :
         std::vector<std::vector<std::string>>{{}, {"shop"}, {"shop", "other"}, {"none"}})
      for (auto const kind : std::vector<std::optional<EventKind>>{
               std::nullopt, EventKind::task_killed, EventKind::task_noted, EventKind::run_ended})
        for (auto const since : std::vector<std::optional<core::Instant>>{std::nullopt, at_minute(4'000),
                                                                          at_minute(kManyEvents + 9)}) {
          store::EventFilter const filter{30, boards, {}, kind, since, 40, newest};
          Seqs found;
          for (auto const& event : seen(*store, [&](auto& tx) { return tx.events(filter); }))
            found.push_back(event.seq);
          CHECK(found == expected(all, filter));
        }
}

TEST_CASE("Tokens.AreReadInPages") {
  for_each_store([](StoreUnderTest& store) {
    keep(*store, [](store::Tx& tx) {
      for (char letter : {'a', 'b', 'c'}) {
        store::Token token;
        token.hash = std::string(64, letter);
        token.kind = core::TokenKind::person;
        tx.add(token);
      }
    });
    auto const first = seen(*store, [](auto& tx) { return tx.tokens(0, 2); });
    REQUIRE(first.size() == 2);
    auto const rest = seen(*store, [&](auto& tx) { return tx.tokens(first.back().id, 2); });
    REQUIRE(rest.size() == 1);
    CHECK(rest[0].hash == std::string(64, 'c'));
  });
}
