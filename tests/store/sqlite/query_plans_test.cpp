#include <map>

#include <doctest/doctest.h>

#include "core/boards/load.hpp"
#include "store/sql/session/list_plan.hpp"
#include "store/sql/session/search_statement.hpp"
#include "store/sqlite/database/connection.hpp"
#include "store/sqlite/database/schema.hpp"
#include "store/sqlite/session/search_words.hpp"
#include "support/builders.hpp"
#include "support/scratch.hpp"

using namespace andon;
using namespace andon::store::sqlite;
namespace sql = andon::store::sql;

namespace {

/// Statements that may walk a whole table or sort, and why. Everything else must not.
std::map<std::string_view, std::string_view> const kAllowed{
    {"boards", "reads all boards, and there are few"},
    {"workers", "reads all workers, and there are few"},
    {"automations", "reads all automations, and there are few"},
    {"settings", "reads all settings, and there are few"},
    {"tokens_remove_ended", "runs once in a while over a small table"},
    {"runs_live", "walks the partial index of the few live runs"},
    {"runs_recent", "walks backwards from the newest"},
    {"events_select", "a part; walks from a number"},
    {"claims_of", "sorts the few claims of one holder"},
    {"search_forget", "as many stale texts as a unit can take"},
    {"search_index_tasks", "as many stale texts as a unit can take"},
    {"search_index_notes", "as many stale texts as a unit can take"},
    {"search_stale_count", "counts at most as many as the index may miss"},
    {"search_snippet", "a full-text search for one text"},
    {"children_levels", "walks only tasks that have sub-tasks"},
    {"open_dependencies", "walks the list of columns it is given"},
    {"tally_tasks", "doctor recounts everything"},
    {"tally_all", "doctor compares everything"},
    {"tally_due_all", "doctor compares everything"},
    {"tally_stale_tasks", "a few hundred tasks at most"},
    {"tally_stale_count", "a few hundred tasks at most"},
    {"flow_stale_tasks", "a few hundred tasks at most"},
    {"events_walk", "walks from a number"},
    {"search_stream_tasks", "walks the texts that have the words"},
    {"search_stream_notes", "walks the texts that have the words"},
    {"search_count", "counts at most as many texts as are ranked"},
    {"files", "a look at a whole directory, after it changed"},
    {"files_watched", "walks the partial index of the files that may change"},
    {"beside", "reads all of a dozen numbers"},
    {"beside_any", "stops at the first row"},
    {"file_problems", "walks the partial index of the files that may change"},
};

bool is_part(std::string_view name) {
  for (auto const* beginning : {"where_", "order_", "events_", "search_", "walk_", "probe_", "list_"})
    if (name.starts_with(beginning) && !kAllowed.contains(name)) return true;
  return false;
}

std::string plan_of(Connection& db, std::string const& sql) {
  std::string out;
  for (auto row = db.assembled("EXPLAIN QUERY PLAN " + sql); row.step();) out += row.text(3) + "\n";
  return out;
}

}  // namespace

TEST_CASE("QueryPlans.OfEveryStatementProbeAnIndexAndSortNothing") {
  test::Scratch scratch;
  Connection db{(scratch / "andon.db").native(), Mode::owner};
  migrate(db);
  int checked = 0;
  for (auto const& [name, text] : sql::named_texts(sql::Dialect::sqlite)) {
    CAPTURE(name);
    if (text.empty() || is_part(name)) continue;
    auto const plan = plan_of(db, text);
    CAPTURE(plan);
    if (kAllowed.contains(name)) continue;
    ++checked;
    bool const scans = plan.find("SCAN ") != std::string::npos &&
                       plan.find("SCAN (subquery") == std::string::npos &&
                       plan.find("SCAN counted") == std::string::npos &&      // the same with a name
                       plan.find("SCAN tag VIRTUAL") == std::string::npos &&  // the tags of one task
                       plan.find("SCAN json_each") == std::string::npos &&    // a list the caller gave
                       plan.find("SCAN CONSTANT ROW") == std::string::npos;
    CHECK_FALSE(scans);
    CHECK(plan.find("TEMP B-TREE") == std::string::npos);
  }
  CHECK(checked > 40);
}

TEST_CASE("QueryPlans.OfCountsAndGraphsReadTheAskedColumnsOnly") {
  test::Scratch scratch;
  Connection db{(scratch / "andon.db").native(), Mode::owner};
  migrate(db);
  auto const plan = plan_of(db, db.text(Query{"open_dependencies"}));
  CAPTURE(plan);
  CHECK(plan.find("(board=? AND status=?)") != std::string::npos);
  CHECK(plan.find("SCAN t") == std::string::npos);
}

TEST_CASE("QueryPlans.OfListsWalkTheIndexOfTheirOrder") {
  test::Scratch scratch;
  Connection db{(scratch / "andon.db").native(), Mode::owner};
  migrate(db);
  core::Board board = test::a_board();
  board.id = 1;
  core::Load load;
  load.columns = {{"todo", 900'000}, {"done", 900'000}};
  store::TaskFilter filter;
  filter.archived = true;
  int checked = 0;
  for (int order = 0; order < 8; ++order)
    for (auto const& walk :
         walks_of(db, filter, static_cast<store::TaskOrder>(order), {sql::columns_for(filter, board, load)}))
      for (bool const reverse : {false, true})
        for (std::size_t given = 0; given < walk.terms.size(); ++given, ++checked) {
          auto const sql = range_text(db, walk, filter, given, true, reverse);
          auto const plan = plan_of(db, sql);
          CAPTURE(sql);
          CAPTURE(plan);
          CHECK(plan.find("TEMP B-TREE") == std::string::npos);
          CHECK(plan.find("SCAN t") == std::string::npos);
          // Board, column and given terms are looked up, and the next term bounds the range.
          CHECK((plan.find(">?)") != std::string::npos || plan.find("<?)") != std::string::npos));
        }
  CHECK(checked > 60);
}

TEST_CASE("QueryPlans.OfNarrowingsWalkByNumber") {
  test::Scratch scratch;
  Connection db{(scratch / "andon.db").native(), Mode::owner};
  migrate(db);
  for (auto const* name : {"walk_by_parent", "walk_by_assignee", "walk_by_holder", "walk_by_role",
                           "walk_by_class", "walk_blocked", "walk_with_open_deps", "walk_by_tag"}) {
    std::string const id = name == std::string_view{"walk_by_tag"} ? "g.task" : "t.id";
    auto const plan = plan_of(db, range_text(db, {Query{name}, {id}}, {}, 0, true, false));
    CAPTURE(plan);
    CHECK(plan.find("TEMP B-TREE") == std::string::npos);
  }
}

TEST_CASE("QueryPlans.OfMetricsUseTheirIndexes") {
  test::Scratch scratch;
  Connection db{(scratch / "andon.db").native(), Mode::owner};
  migrate(db);
  for (auto const& [name, index] : {std::pair{"finished", "task_finished"},
                                    {"longest_started", "task_under_way"},
                                    {"moves_of", "event_by_task"},
                                    {"former_columns", "event_column"}})
    CHECK(plan_of(db, db.text(Query{name})).find(std::string{"USING INDEX "} + index) != std::string::npos);
}

TEST_CASE("QueryPlans.OfASearchByWordsLoadOnlyWhatItFound") {
  test::Scratch scratch;
  Connection db{(scratch / "andon.db").native(), Mode::owner};
  migrate(db);
  sql::WordSearch const by{sql::Dialect::sqlite, search_phrase};
  auto const statement = search_statement(by, {{{"cart", false, false}, {"fix", false, false}}, {}},
                                          [](auto const&) { return false; });
  auto const plan = plan_of(db, statement.sql);
  CAPTURE(plan);
  CHECK(plan.find("SEARCH t USING INTEGER PRIMARY KEY") != std::string::npos);
}

TEST_CASE("QueryPlans.OfASweepWalkUnsettledClaimsOnly") {
  test::Scratch scratch;
  Connection db{(scratch / "andon.db").native(), Mode::owner};
  migrate(db);
  CHECK(plan_of(db, db.text(Query{"expired"})).find("INDEX task_claim_end (claim_expires") !=
        std::string::npos);
  CHECK(db.value_of("SELECT sql FROM sqlite_schema WHERE name = 'task_claim_end'").contains("unsettled = 1"));
}

TEST_CASE("QueryPlans.OfAPickBeginBehindWhatIsHeld") {
  test::Scratch scratch;
  Connection db{(scratch / "andon.db").native(), Mode::owner};
  migrate(db);
  for (auto const* name : {"pick_probe", "pick_probe_others", "pick_before"})
    CHECK(plan_of(db, db.text(Query{name})).find("lane=? AND (class_rank,pick_due,priority_rank,rank)") !=
          std::string::npos);
}

TEST_CASE("QueryPlans.OfAPickSearchTheIndexOfTheirQueue") {
  test::Scratch scratch;
  Connection db{(scratch / "andon.db").native(), Mode::owner};
  migrate(db);
  for (auto const* name : {"pick_probe", "pick_probe_class", "pick_probe_others"})
    CHECK(plan_of(db, db.text(Query{name})).find("INDEX task_pick (board=? AND status=? AND lane=?") !=
          std::string::npos);
  for (auto const* name : {"pick_probe_tag", "pick_probe_tag_class", "pick_probe_tag_others"})
    CHECK(plan_of(db, db.text(Query{name})).find("SEARCH q USING PRIMARY KEY") != std::string::npos);
}

TEST_CASE("QueryPlans.OfEveryStatementOfAPickLookUpAllThatTheyAreGiven") {
  test::Scratch scratch;
  Connection db{(scratch / "andon.db").native(), Mode::owner};
  migrate(db);
  // A term that only filters is a walk over what it leaves out: each statement names its index and all terms.
  std::map<std::string_view, std::string_view> const expected{
      {"pick_probe", "task_pick (board=? AND status=? AND lane=? AND (class_rank,"},
      {"pick_probe_class", "task_pick (board=? AND status=? AND lane=? AND class_rank=? AND (pick_due,"},
      {"pick_probe_others", "task_pick (board=? AND status=? AND lane=? AND (class_rank,"},
      {"pick_probe_tag", "PRIMARY KEY (board=? AND status=? AND lane=? AND tag=? AND (class_rank,"},
      {"pick_probe_tag_class",
       "PRIMARY KEY (board=? AND status=? AND lane=? AND tag=? AND class_rank=? AND (pick_due,"},
      {"pick_probe_tag_others", "PRIMARY KEY (board=? AND status=? AND lane=? AND tag=? AND (class_rank,"},
      {"pick_due_now", "task_later (available_at<?)"},
      {"pick_next_time", "task_claim_end (claim_expires>?)"},
      {"pick_before", "task_pick (board=? AND status=? AND lane=? AND (class_rank,"},
      {"pick_before_tag", "PRIMARY KEY (board=? AND status=? AND lane=? AND tag=? AND (class_rank,"},
      {"pick_promote", "INTEGER PRIMARY KEY (rowid=?)"},
      {"pick_approved", "task_waiting (board=? AND (class_rank,"},
      {"pick_waiting", "task_pick (board=? AND status=? AND lane=?)"},
      {"pick_next_queue", "task_pick (board=? AND status=? AND lane>?)"},
      {"pick_aside", "task_aside (board=? AND status=?)"},
  };
  int checked = 0;
  for (auto const& [name, text] : sql::named_texts(sql::Dialect::sqlite)) {
    if (text.empty() || !name.starts_with("pick_")) continue;
    CAPTURE(name);
    auto const plan = plan_of(db, text);
    CAPTURE(plan);
    auto const row = expected.find(name);
    REQUIRE(row != expected.end());
    CHECK(plan.find(row->second) != std::string::npos);
    ++checked;
  }
  CHECK(std::cmp_equal(checked, expected.size()));
}
