#include "runner/dispatch/memory_shortage.hpp"

#include <algorithm>
#include <functional>

namespace andon::runner {
namespace {

/// One part of the used memory that counts as a cause of the shortage: of a run, or of the runs of a server.
constexpr std::int64_t kRealPart = 4;
/// One part of it that counts as a cause when all runs of Andon on the machine hold it.
constexpr std::int64_t kPartOfAllRuns = 2;

std::int64_t least_of(std::int64_t all, std::int64_t part, std::int64_t amount) {
  return std::min(std::max(all / part, amount), all / 4);
}
std::int64_t shortage_of(std::int64_t all) { return least_of(all, 20, 512LL << 20U); }

bool is_part(std::int64_t bytes, std::int64_t part, std::int64_t of) {
  return bytes > 0 && bytes >= of / part;
}

/// The run that the order puts last among those that the condition names; null for none.
MemoryOfRun const* last_of(MemoryFigures const& figures, std::function<bool(MemoryOfRun const&)> const& fits,
                           bool (*is_before)(std::int64_t, std::int64_t)) {
  MemoryOfRun const* out = nullptr;
  for (auto const& run : figures.runs)
    if (!run.is_ending && fits(run) && (!out || is_before(out->bytes, run.bytes))) out = &run;
  return out;
}

MemoryOfRun const* largest(MemoryFigures const& figures,
                           std::function<bool(MemoryOfRun const&)> const& fits) {
  return last_of(figures, fits, [](std::int64_t a, std::int64_t b) { return a < b; });
}

MemoryDecision thaw_one(MemoryFigures const& figures) {
  auto const* smallest = last_of(
      figures, [](MemoryOfRun const& run) { return run.is_frozen; },
      [](std::int64_t a, std::int64_t b) { return a > b; });
  return smallest ? MemoryDecision{MemoryAction::thaw, smallest->run} : MemoryDecision{};
}

/// The memory of the runs of this server, and of its neighbours. They cannot hold more than what is used.
struct Fleets {
  std::int64_t own = 0;
  std::int64_t largest_neighbour = 0;
  std::int64_t all = 0;
};

Fleets fleets_in(MemoryFigures const& figures, std::int64_t used) {
  Fleets out;
  for (auto const& run : figures.runs) out.own += std::clamp<std::int64_t>(run.bytes, 0, used);
  out.own = std::min(out.own, used);
  out.all = out.own;
  for (auto const bytes : figures.neighbours) {
    auto const held = std::clamp<std::int64_t>(bytes, 0, used - out.own);
    out.largest_neighbour = std::max(out.largest_neighbour, held);
    out.all = std::min(out.all + held, used);
  }
  return out;
}

}  // namespace

std::int64_t least_free_for_starts(std::int64_t all) { return least_of(all, 10, 1LL << 30U); }

bool is_short(MemoryFigures const& figures) {
  return figures.all > 0 && figures.free < shortage_of(figures.all);
}

bool is_plentiful(MemoryFigures const& figures) {
  auto const shortage = shortage_of(figures.all);
  return figures.free >= std::max(least_free_for_starts(figures.all), shortage + shortage / 2);
}

MemoryDecision decide_on_memory(MemoryFigures const& figures) {
  if (is_plentiful(figures)) return thaw_one(figures);
  if (!is_short(figures)) return {};
  auto const used = figures.all - std::max<std::int64_t>(figures.free, 0);
  auto const fleets = fleets_in(figures, used);
  bool const is_neighbours_turn = fleets.largest_neighbour > fleets.own;
  auto const* most = largest(figures, [](MemoryOfRun const& run) { return run.bytes > 0; });
  if (!most) return {};
  bool const is_cause = is_part(most->bytes, kRealPart, used) ||
                        (is_part(fleets.own, kRealPart, used) && is_part(fleets.all, kPartOfAllRuns, used));
  if (is_cause) return {MemoryAction::end, most->run, is_neighbours_turn};
  auto const* moving =
      largest(figures, [](MemoryOfRun const& run) { return run.bytes > 0 && !run.is_frozen; });
  return moving ? MemoryDecision{MemoryAction::freeze, moving->run, is_neighbours_turn} : MemoryDecision{};
}

}  // namespace andon::runner
