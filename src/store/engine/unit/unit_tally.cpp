#include <algorithm>

#include "store/engine/counters/counting.hpp"
#include "store/engine/driver.hpp"
#include "store/engine/unit/unit.hpp"

namespace andon::store::engine {

std::vector<Tally> Unit::tally(BoardId board, std::vector<std::string> const& columns, Facet by,
                               core::Date today, std::size_t most) {
  refresh();
  auto out = read_tallies(session_, {board, by, today.day.time_since_epoch().count(), most});
  std::erase_if(
      out, [&](Tally const& tally) { return std::ranges::find(columns, tally.status) == columns.end(); });
  if (by == Facet::status)
    for (auto& tally : out) tally.value = tally.status;
  return out;
}

}  // namespace andon::store::engine
