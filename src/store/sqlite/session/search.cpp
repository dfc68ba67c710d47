// The cost of a search grows with its answer, however many texts have the words.
// - Words that few texts have rank the hits. Words that many texts have only filter the texts that the others
//   find.
// - When many texts have every word, tasks are offered in the order of the index. First come, by number,
//   tasks with all words in the title, then other tasks with them, then notes from the newest on. Such a
//   search ends after `kMostOffered` texts.
// - Conditions without words walk tasks by number, as a list does. A page passes over at most `kMostOffered`
//   tasks.
#include <algorithm>
#include <functional>
#include <set>

#include "store/sql/rows/shared_queries.hpp"
#include "store/sql/rows/task_row.hpp"
#include "store/sql/session/search_statement.hpp"
#include "store/sql/session/search_walk.hpp"
#include "store/sqlite/session/search_index.hpp"
#include "store/sqlite/session/search_words.hpp"
#include "store/sqlite/session/sqlite_session.hpp"

namespace andon::store::sqlite {
namespace {

using engine::SearchRequest;
using engine::SearchRows;
using sql::kTaskById;
using sql::row_in;

Query const kSnippet{"search_snippet"};
Query const kSearchCount{"search_count"};
Query const kStreamTasks{"search_stream_tasks"};
Query const kStreamNotes{"search_stream_notes"};
Query const kTaskOfNote{"search_task_of_note"};

/// Words that more texts than this have do not rank.
constexpr std::int64_t kMostRanked = 1'000;
constexpr sql::WordSearch kBy{sql::Dialect::sqlite, search_phrase};

std::string snippet_of(Connection& db, std::string const& words, std::int64_t document) {
  if (document == 0) return {};
  auto row = db.query(kSnippet, words, document);
  return row.step() ? row.text(0) : std::string{};
}

bool is_common(Connection& db, std::string const& words) {
  auto row = db.query(kSearchCount, words, kMostRanked + 1);
  return row.step() && row.integer(0) > kMostRanked;
}

std::string joined(std::vector<std::string> const& words, std::string_view by) {
  std::string out;
  for (auto const& word : words) out.append(out.empty() ? "(" : by).append(word);
  return out + ")";
}

/// The task of an indexed text: the text's number, or for a negative number the task of the note with minus
/// that number as its event.
core::TaskId task_of_text(Connection& db, std::int64_t document) {
  if (document > 0) return core::TaskId{document};
  auto row = db.query(kTaskOfNote, -document);
  return row.step() ? core::TaskId{row.integer(0)} : core::TaskId{};
}

/// Calls `take` with each task once and the text that was found, until it returns false or `kMostOffered`
/// texts were offered. False in the latter case.
bool offer_hits(Connection& db, std::vector<std::string> const& words,
                std::function<bool(core::TaskId, std::int64_t)> const& take) {
  auto const all = joined(words, " AND "), titles = "{title} : " + all;
  std::set<core::TaskId> seen;
  int offered = 0;
  auto const stream = [&](Query const& query, std::string const& expression) {
    for (auto row = db.query(query, expression); row.step();) {
      if (++offered > sql::kMostOffered) return false;
      auto const task = task_of_text(db, row.integer(0));
      if (seen.insert(task).second && !take(task, row.integer(0))) return false;
    }
    return true;
  };
  return (stream(kStreamTasks, titles) && stream(kStreamTasks, all + " NOT " + titles) &&
          stream(kStreamNotes, all)) ||
         offered <= sql::kMostOffered;
}

void add_hit(Connection& db, SearchRows& page, core::TaskId id, std::string const& words,
             std::int64_t document) {
  auto row = db.query(kTaskById, id);
  if (row.step()) page.rows.push_back({row_in(row), snippet_of(db, words, document)});
}

SearchRows search_ranked(Connection& db, SearchRequest const& request) {
  auto const statement =
      search_statement(kBy, request.query, [&](std::string const& words) { return is_common(db, words); });
  auto const words = joined(words_of(kBy, request.query), " OR ");
  auto row = ranked_hits(db, statement, request);
  SearchRows page;
  while (row.step()) {
    page.more = page.rows.size() == request.limit;
    if (page.more) break;
    add_hit(db, page, core::TaskId{row.integer(0)}, words, row.integer(1));
  }
  return page;
}

SearchRows search_offered(Connection& db, SearchRequest const& request) {
  sql::SearchCheck check{db, kBy, request};
  auto const words = words_of(kBy, request.query);
  SearchRows page;
  std::size_t fit = 0;
  bool const offered_all = offer_hits(db, words, [&](core::TaskId id, std::int64_t document) {
    if (!check.holds(id) || ++fit <= request.skip) return true;
    page.more = page.rows.size() == request.limit;
    if (!page.more) add_hit(db, page, id, joined(words, " OR "), document);
    return !page.more;
  });
  page.truncated = !offered_all;
  return page;
}

}  // namespace

SearchRows SqliteSession::search(SearchRequest const& request) {
  if (!request.may_lag && stale_texts(db_, 1) > 0) return {.is_behind = true};
  auto const& query = request.query;
  if (engine::walks_tasks(query)) {
    bool const asks = !query.conditions.empty() || has_words(kBy, query);
    return asks ? search_walked(db_, kBy, request) : SearchRows{};
  }
  bool const all_common = std::ranges::all_of(
      words_of(kBy, query), [&](std::string const& expression) { return is_common(db_, expression); });
  return all_common ? search_offered(db_, request) : search_ranked(db_, request);
}

bool SqliteSession::index_texts(std::int64_t least) {
  if (least > 1 && stale_texts(db_, least) < least) return false;
  return index_stale_texts(db_);
}

}  // namespace andon::store::sqlite
