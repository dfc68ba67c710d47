#include "store/sqlite/rows/search_index.hpp"

#include <array>

namespace andon::store::sqlite {
namespace {

Query const kStale{"search_stale_count"};
std::array const kLearn{Query{"search_forget"}, Query{"search_learn_tasks"}, Query{"search_learn_notes"},
                        Query{"search_learnt"}};
Query const kNext{"search_next_stale"};
/// Learning takes about a fiftieth of a second for so many usual texts, and for so many characters.
constexpr std::int64_t kTexts = 512, kLength = 512 << 10;

}  // namespace

std::int64_t stale_texts(Connection& db, std::int64_t most) {
  auto row = db.query(kStale, most);
  return row.step() ? row.integer(0) : 0;
}

bool learn_texts(Connection& db) {
  std::int64_t last = 0, texts = 0, length = 0;
  for (auto row = db.query(kNext, kTexts); length < kLength && row.step(); ++texts) {
    last = row.integer(0);
    length += row.integer(1);
  }
  if (texts > 0)
    for (auto const& step : kLearn) db.run(step, last);
  return texts == kTexts || length >= kLength;
}

}  // namespace andon::store::sqlite
