#include "store/sqlite/search_index.hpp"

#include <array>

namespace andon::store::sqlite {
namespace {

Query const kStale{"search_stale_count"};
std::array const kLearn{Query{"search_forget"}, Query{"search_learn_tasks"}, Query{"search_learn_notes"},
                        Query{"search_learnt"}};

}  // namespace

std::int64_t stale_texts(Connection& db, std::int64_t most) {
  auto row = db.query(kStale, most);
  return row.step() ? row.integer(0) : 0;
}

void learn_texts(Connection& db) {
  for (auto const& step : kLearn) db.run(step);
}

}  // namespace andon::store::sqlite
