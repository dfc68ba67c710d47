#include "runner/dispatch/memory_shortage.hpp"

#include <doctest/doctest.h>

using namespace andon;
using runner::MemoryAction;
using runner::MemoryDecision;
using runner::MemoryFigures;
using runner::MemoryOfRun;

namespace {

constexpr std::int64_t kOneMiB = 1LL << 20U;
constexpr std::int64_t kOneGiB = 1LL << 30U;

struct ShortageRow {
  char const* name;
  MemoryFigures figures;
  MemoryDecision decision;
};

MemoryFigures on_24_gib(std::int64_t free, std::vector<MemoryOfRun> runs,
                        std::vector<std::int64_t> neighbours = {}) {
  return {24 * kOneGiB, free, std::move(runs), std::move(neighbours)};
}

}  // namespace

TEST_CASE("MemoryShortage.OnlyCausesAreEnded") {
  std::vector<ShortageRow> const rows{
      {"enough is free", on_24_gib(12 * kOneGiB, {{1, 10 * kOneGiB}}), {}},
      {"less than a tenth holds starts only", on_24_gib(2 * kOneGiB, {{1, 20 * kOneGiB}}), {}},
      {"nothing runs", on_24_gib(kOneGiB, {}), {}},
      {"the kernel tells nothing", {0, 0, {{1, kOneGiB}}, {}}, {}},
      {"one run is the cause",
       on_24_gib(kOneGiB, {{1, 2 * kOneGiB}, {2, 6 * kOneGiB}}),
       {MemoryAction::end, 2}},
      {"many runs are the cause together",
       on_24_gib(kOneGiB, {{1, 3 * kOneGiB}, {2, 4 * kOneGiB}, {3, 3 * kOneGiB}, {4, 3 * kOneGiB}}),
       {MemoryAction::end, 2}},
      {"three innocent runs beside other programs",
       on_24_gib(100 * kOneMiB, {{1, 188 * kOneMiB}, {2, 1700 * kOneMiB}, {3, 700 * kOneMiB}}),
       {MemoryAction::freeze, 2}},
      {"three innocent runs beside a large neighbour",
       on_24_gib(100 * kOneMiB, {{1, 188 * kOneMiB}, {2, 1700 * kOneMiB}, {3, 700 * kOneMiB}},
                 {20 * kOneGiB}),
       {MemoryAction::freeze, 2, true}},
      {"the neighbour in this case",
       on_24_gib(100 * kOneMiB, {{1, 3 * kOneGiB}, {2, 17 * kOneGiB}}, {2600 * kOneMiB}),
       {MemoryAction::end, 2}},
      {"two servers that are the cause together: the larger one",
       on_24_gib(kOneGiB, {{1, 3 * kOneGiB}, {2, 4 * kOneGiB}}, {6 * kOneGiB}),
       {MemoryAction::end, 2}},
      {"two servers that are the cause together: the smaller one",
       on_24_gib(kOneGiB, {{1, 3 * kOneGiB}, {2, 3 * kOneGiB}}, {7 * kOneGiB}),
       {MemoryAction::end, 1, true}},
      {"runs of this server hold a third, and other programs the rest",
       on_24_gib(kOneGiB, {{1, 4 * kOneGiB}, {2, 4 * kOneGiB}}),
       {MemoryAction::freeze, 1}},
      {"the largest stands still already",
       on_24_gib(kOneGiB, {{1, kOneGiB}, {2, 2 * kOneGiB, true}}),
       {MemoryAction::freeze, 1}},
      {"all stand still", on_24_gib(kOneGiB, {{1, kOneGiB, true}, {2, 2 * kOneGiB, true}}), {}},
      {"a frozen run that is the cause after all",
       on_24_gib(kOneGiB, {{1, kOneGiB}, {2, 8 * kOneGiB, true}}),
       {MemoryAction::end, 2}},
      {"a run that ends anyway is left alone",
       on_24_gib(kOneGiB, {{1, kOneGiB}, {2, 2 * kOneGiB, false, true}}),
       {MemoryAction::freeze, 1}},
      {"a run without memory gives none back", on_24_gib(kOneGiB, {{1, 0}}), {}},
      {"above the shortage nothing goes on yet", on_24_gib(2 * kOneGiB, {{1, kOneGiB, true}}), {}},
      {"with memory free the smallest goes on first",
       on_24_gib(3 * kOneGiB, {{1, 2 * kOneGiB, true}, {2, kOneGiB, true}, {3, kOneMiB}}),
       {MemoryAction::thaw, 2}},
      {"a small machine has a distance between freezing and going on",
       {2 * kOneGiB, 600 * kOneMiB, {{1, 100 * kOneMiB, true}}, {}},
       {}},
      {"a small machine thaws too",
       {2 * kOneGiB, 800 * kOneMiB, {{1, 100 * kOneMiB, true}}, {}},
       {MemoryAction::thaw, 1}},
      {"a neighbour that claims more than there is makes no cause of small runs",
       on_24_gib(kOneGiB, {{1, 2 * kOneGiB}}, {1LL << 60U, 1LL << 60U, -5}),
       {MemoryAction::freeze, 1, true}},
  };
  for (auto const& row : rows) {
    CAPTURE(row.name);
    auto const decision = runner::decide_on_memory(row.figures);
    CHECK(decision.action == row.decision.action);
    CHECK(decision.run == row.decision.run);
    CHECK(decision.is_neighbours_turn == row.decision.is_neighbours_turn);
  }
}

TEST_CASE("MemoryShortage.ImpossibleNumbersDoNoHarm") {
  for (auto const bytes : {std::int64_t{-1}, INT64_MAX, INT64_MIN})
    for (auto const free : {std::int64_t{-1}, std::int64_t{0}, INT64_MAX / 4, INT64_MIN / 4})
      for (auto const all : {std::int64_t{1}, std::int64_t{7}, INT64_MAX / 4}) {
        auto const decision =
            runner::decide_on_memory({all, free, {{1, bytes}, {2, bytes, true}}, {bytes, bytes}});
        CHECK((decision.action == MemoryAction::none || decision.run > 0));
      }
}
