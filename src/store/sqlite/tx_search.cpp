#include "store/sqlite/search_index.hpp"
#include "store/sqlite/search_statement.hpp"
#include "store/sqlite/transaction.hpp"

namespace andon::store::sqlite {
namespace {

Query const kSnippet{"search_snippet"};

std::string snippet_of(Connection& db, std::string const& words, std::int64_t document) {
  if (document == 0) return {};
  auto row = db.query(kSnippet, words, document);
  return row.step() ? row.text(0) : std::string{};
}

}  // namespace

/// A reading unit on the writer's connection leaves it to the batch.
void Transaction::learn_search() {
  if (may_write_) before_write();
  learn_texts(db_);
  written_ = true;
}

void Transaction::learn_search_for_now() {
  open_savepoint();
  learn_texts(db_);
}

SearchPage Transaction::search(core::SearchQuery const& query, core::Instant now, std::size_t limit,
                               std::size_t skip) {
  see_all();
  auto const statement = search_statement(query);
  if (statement.sql.empty()) return {};
  if (!search_may_lag_ && stale_texts(db_, 1) > 0) {
    if (rights_ == Rights::read) throw SearchBehind{};
    learn_search();
  }
  auto row = db_.assembled(statement.sql);
  auto const day = std::chrono::floor<std::chrono::days>(now).time_since_epoch().count();
  int parameter = 0;
  row.bind(++parameter, now);
  row.bind(++parameter, std::int64_t{day});
  for (auto const& value : statement.values) row.bind(++parameter, value);
  row.bind(++parameter, limit + 1);  // one more tells whether there is a next page
  row.bind(++parameter, skip);

  SearchPage page;
  while (row.step()) {
    if (page.hits.size() == limit) {
      page.more = true;
      break;
    }
    auto const* task = kept(row.integer(0));
    if (task) page.hits.push_back({*task, snippet_of(db_, statement.words, row.integer(1))});
  }
  return page;
}

}  // namespace andon::store::sqlite
