#include "store/sqlite/session/search_index.hpp"

#include <array>

namespace andon::store::sqlite {
namespace {

Query const kStaleTexts{"search_stale_count"};
std::array const kIndexing{Query{"search_forget"}, Query{"search_index_tasks"}, Query{"search_index_notes"},
                           Query{"search_indexed"}};
Query const kNext{"search_next_stale"};
/// Limits of one unit of work: indexing this many usual texts, or this many characters, takes about 20 ms.
constexpr std::int64_t kTexts = 512, kLength = 512 << 10;

}  // namespace

std::int64_t stale_texts(Connection& db, std::int64_t most) {
  auto row = db.query(kStaleTexts, most);
  return row.step() ? row.integer(0) : 0;
}

bool index_stale_texts(Connection& db) {
  std::int64_t last = 0, texts = 0, length = 0;
  for (auto row = db.query(kNext, kTexts); length < kLength && row.step(); ++texts) {
    last = row.integer(0);
    length += row.integer(1);
  }
  if (texts > 0)
    for (auto const& step : kIndexing) db.run(step, last);
  return texts == kTexts || length >= kLength;
}

}  // namespace andon::store::sqlite
