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

#include "core/model/service_class.hpp"
#include "core/text/names.hpp"
#include "store/sql/rows/shared_queries.hpp"
#include "store/sql/rows/task_row.hpp"
#include "store/sql/session/tasks_in_order.hpp"
#include "store/sqlite/session/search_index.hpp"
#include "store/sqlite/session/search_statement.hpp"
#include "store/sqlite/session/sqlite_session.hpp"

namespace andon::store::sqlite {
namespace {

using engine::SearchRequest;
using engine::SearchRows;
using sql::kTaskById;
using sql::row_in;
using sql::SortKey;

Query const kSnippet{"search_snippet"};
Query const kSearchCount{"search_count"};
Query const kStreamTasks{"search_stream_tasks"};
Query const kStreamNotes{"search_stream_notes"};
Query const kTaskOfNote{"search_task_of_note"};

/// Words that more texts than this have do not rank.
constexpr std::int64_t kMostRanked = 1'000;
/// The most tasks or texts that are checked without being hits.
constexpr int kMostOffered = 3'000;

std::string snippet_of(Connection& db, std::string const& words, std::int64_t document) {
  if (document == 0) return {};
  auto row = db.query(kSnippet, words, document);
  return row.step() ? row.text(0) : std::string{};
}

bool is_common(Connection& db, std::string const& words) {
  auto row = db.query(kSearchCount, words, kMostRanked + 1);
  return row.step() && row.integer(0) > kMostRanked;
}

/// Checks whether single tasks meet a query.
class Check {
 public:
  Check(Connection& db, core::SearchQuery const& query, core::Instant now)
      : db_(db), now_(now), statement_(check_statement(query)) {}
  bool holds(core::TaskId id) {
    auto row = db_.assembled(statement_.sql);
    int parameter = 0;
    row.bind(++parameter, now_);
    row.bind(++parameter, day_of(now_));
    row.bind(++parameter, id);
    for (auto const& value : statement_.values) row.bind(++parameter, value);
    return row.step();
  }
  std::string const& words() const { return statement_.words; }
  static std::int64_t day_of(core::Instant now) {
    return std::chrono::floor<std::chrono::days>(now).time_since_epoch().count();
  }

 private:
  Connection& db_;
  core::Instant now_;
  SearchStatement statement_;
};

std::string joined(std::vector<std::string> const& words) {
  std::string out;
  for (auto const& word : words) out += (out.empty() ? "(" : " AND ") + word;
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
  auto const all = joined(words), titles = "{title} : " + all;
  std::set<core::TaskId> seen;
  int offered = 0;
  auto const stream = [&](Query const& query, std::string const& expression) {
    for (auto row = db.query(query, expression); row.step();) {
      if (++offered > kMostOffered) return false;
      auto const task = task_of_text(db, row.integer(0));
      if (seen.insert(task).second && !take(task, row.integer(0))) return false;
    }
    return true;
  };
  return (stream(kStreamTasks, titles) && stream(kStreamTasks, all + " NOT " + titles) &&
          stream(kStreamNotes, all)) ||
         offered <= kMostOffered;
}

/// The conditions that an index can answer, for a list that passes over few tasks. `Check` tests the others
/// one by one.
TaskFilter filter_of(core::SearchQuery const& query, core::Instant now) {
  TaskFilter filter;
  filter.now = now;
  filter.archived = true;
  for (auto const& [field, values, without, position] : query.conditions) {
    if (without || values.size() != 1) continue;
    auto const& value = values.front();
    switch (field) {
      case core::SearchField::status: filter.statuses = values; break;
      case core::SearchField::stage:
        filter.stages = {core::parse_stage(value).value_or(core::Stage::ready)};
        break;
      case core::SearchField::tag: filter.tag = value; break;
      case core::SearchField::class_:
        if (!core::same_name(value, core::kStandard)) filter.class_ = value;
        break;
      case core::SearchField::assignee: filter.assignee = value; break;
      case core::SearchField::role: filter.role = value; break;
      case core::SearchField::claimed_by: filter.claimed_by = value; break;
      case core::SearchField::parent: filter.parent = core::TaskId{std::int64_t{std::stoll(value)}}; break;
      case core::SearchField::board: filter.board = BoardId{std::int64_t{std::stoll(value)}}; break;
      case core::SearchField::is:
        if (value == "blocked") filter.blocked = true;
        if (value == "waiting") filter.open_deps = true;
        if (value == "claimed") filter.claimed = true;
        break;
      case core::SearchField::priority: break;
    }
  }
  return filter;
}

void add_hit(Connection& db, SearchRows& page, core::TaskId id, std::string const& words,
             std::int64_t document) {
  auto row = db.query(kTaskById, id);
  if (row.step()) page.rows.push_back({row_in(row), snippet_of(db, words, document)});
}

SearchRows search_ranked(Connection& db, SearchRequest const& request) {
  auto const statement =
      search_statement(request.query, [&](std::string const& words) { return is_common(db, words); });
  auto row = db.assembled(statement.sql);
  int parameter = 0;
  row.bind(++parameter, request.now);
  row.bind(++parameter, Check::day_of(request.now));
  for (auto const& value : statement.values) row.bind(++parameter, value);
  row.bind(++parameter, request.limit + 1);  // one more shows whether there is a next page
  row.bind(++parameter, request.skip);
  SearchRows page;
  while (row.step()) {
    page.more = page.rows.size() == request.limit;
    if (page.more) break;
    add_hit(db, page, core::TaskId{row.integer(0)}, statement.words, row.integer(1));
  }
  return page;
}

SearchRows search_offered(Connection& db, SearchRequest const& request) {
  Check check{db, request.query, request.now};
  SearchRows page;
  std::size_t fit = 0;
  bool const offered_all =
      offer_hits(db, words_of(request.query), [&](core::TaskId id, std::int64_t document) {
        if (!check.holds(id) || ++fit <= request.skip) return true;
        page.more = page.rows.size() == request.limit;
        if (!page.more) add_hit(db, page, id, check.words(), document);
        return !page.more;
      });
  page.truncated = !offered_all;
  return page;
}

SearchRows search_walked(Connection& db, SearchRequest const& request) {
  Check check{db, request.query, request.now};
  auto const filter = filter_of(request.query, request.now);
  SortKey const after{request.after};
  SearchRows page;
  auto const next = tasks_in_order(db, filter, request.boards, TaskOrder::id, after, false);
  for (int offered = 0; auto const passed = next();) {
    bool const fits = passed->fits && check.holds(passed->id);
    page.more = fits ? page.rows.size() == request.limit : ++offered == kMostOffered;
    if (fits && page.more) break;
    page.after = passed->id;
    if (fits) add_hit(db, page, passed->id, {}, 0);
    if (page.more) break;
  }
  return page;
}

}  // namespace

SearchRows SqliteSession::search(SearchRequest const& request) {
  if (!request.may_lag && stale_texts(db_, 1) > 0) return {.is_behind = true};
  auto const& query = request.query;
  if (engine::walks_tasks(query)) {
    bool const asks = !query.conditions.empty() || has_words(query);
    return asks ? search_walked(db_, request) : SearchRows{};
  }
  bool const all_common = std::ranges::all_of(
      words_of(query), [&](std::string const& expression) { return is_common(db_, expression); });
  return all_common ? search_offered(db_, request) : search_ranked(db_, request);
}

bool SqliteSession::index_texts(std::int64_t least) {
  if (least > 1 && stale_texts(db_, least) < least) return false;
  return index_stale_texts(db_);
}

}  // namespace andon::store::sqlite
