// The cost of a search is bounded, but for reading the index of its words once.
// - Words that few texts have rank the hits. Words that many texts have only filter the texts that the others
//   find.
// - When many texts have every word, tasks are offered by number, as in SQLite: those with all words in the
//   title, other tasks, notes from the newest on. Few texts come out of the index and are sorted. Many texts
//   are so dense that a walk over all texts finds them sooner; it ends after so many texts.
// - Conditions without words walk tasks by number, as a list does.
#include <algorithm>
#include <set>

#include "store/postgres/session/postgres_session.hpp"
#include "store/postgres/session/search_offers.hpp"
#include "store/postgres/session/search_snippet.hpp"
#include "store/postgres/session/search_words.hpp"
#include "store/sql/rows/shared_queries.hpp"
#include "store/sql/rows/task_row.hpp"
#include "store/sql/session/search_statement.hpp"
#include "store/sql/session/search_walk.hpp"

namespace andon::store::postgres {
namespace {

using engine::SearchRequest;
using engine::SearchRows;
using sql::kTaskById;
using sql::Query;

Query const kExcerpt{"text_excerpt"};

std::string read_snippet(sql::Connection& db, std::string const& words, std::int64_t document) {
  auto row = db.query(kExcerpt, document, words);
  if (!row.step()) return {};
  return snippet_of(Excerpt{row.view(0), row.view(1), row.integer(2) != 0, row.integer(3) != 0, row.view(4)});
}

std::string joined(std::vector<std::string> const& phrases) {
  std::string out;
  for (auto const& phrase : phrases) out.append(phrase).append(" ");
  return out;
}

void add_hit(sql::Connection& db, SearchRows& page, core::TaskId id, std::string const& words,
             std::int64_t document) {
  auto row = db.query(kTaskById, id);
  if (row.step()) page.rows.push_back({sql::row_in(row), read_snippet(db, words, document)});
}

using Phrases = std::vector<std::string>;

Phrases common_of(sql::Connection& db, Phrases phrases) {
  std::erase_if(phrases, [&](auto const& phrase) { return !is_common(db, phrase); });
  return phrases;
}

SearchRows search_ranked(sql::Connection& db, SearchRequest const& request, Phrases const& common) {
  auto const statement = search_statement(kByWords, request.query, [&](auto const& phrase) {
    return std::ranges::find(common, phrase) != common.end();
  });
  auto const words = joined(words_of(kByWords, request.query));
  auto row = ranked_hits(db, statement, request);
  SearchRows page;
  while (row.step()) {
    page.more = page.rows.size() == request.limit;
    if (page.more) break;
    add_hit(db, page, core::TaskId{row.integer(0)}, words, row.integer(1));
  }
  return page;
}

/// One page of tasks, each once.
class OfferedPage {
 public:
  OfferedPage(sql::Connection& db, SearchRequest const& request)
      : db_(db),
        request_(request),
        check_(db, kByWords, request),
        phrases_(words_of(kByWords, request.query)) {}

  SearchRows all() {
    for (auto const stream : {Stream::titles, Stream::tasks, Stream::notes})
      if (!take(Offers{db_, stream, phrases_})) break;
    page_.truncated = is_cut_ && !page_.more;
    return std::move(page_);
  }

 private:
  /// False when the page has ended.
  bool take(Offers offers) {
    for (auto some = offers.next(); !some.empty(); some = offers.next())
      if (!take(some)) return false;
    is_cut_ |= offers.is_cut();
    return true;
  }

  bool take(std::vector<Offer> const& offers) {
    std::vector<core::TaskId> ids;
    for (auto const& offer : offers) ids.push_back(offer.task);
    auto const fitting = check_.of(ids);
    for (auto const& [document, task] : offers) {
      if (++offered_ > sql::kMostOffered) is_cut_ = true;
      if (offered_ > sql::kMostOffered) return false;
      if (!seen_.insert(task).second || !fitting.contains(task) || ++fit_ <= request_.skip) continue;
      page_.more = page_.rows.size() == request_.limit;
      if (page_.more) return false;
      add_hit(db_, page_, task, joined(phrases_), document);
    }
    return true;
  }

  sql::Connection& db_;
  SearchRequest const& request_;
  sql::SearchCheck check_;
  std::vector<std::string> phrases_;
  SearchRows page_{};
  std::set<core::TaskId> seen_{};
  std::size_t fit_ = 0;
  int offered_ = 0;
  bool is_cut_ = false;
};

}  // namespace

SearchRows PostgresSession::search(SearchRequest const& request) {
  auto const& query = request.query;
  if (engine::walks_tasks(query)) {
    bool const asks = !query.conditions.empty() || has_words(kByWords, query);
    return asks ? search_walked(db_, kByWords, request) : SearchRows{};
  }
  auto const phrases = words_of(kByWords, query);
  auto const common = common_of(db_, phrases);
  return common == phrases ? OfferedPage{db_, request}.all() : search_ranked(db_, request, common);
}

}  // namespace andon::store::postgres
