#include <map>

#include <doctest/doctest.h>

#include "store/sqlite/connection.hpp"
#include "store/sqlite/schema.hpp"
#include "store/sqlite/search_statement.hpp"
#include "support/scratch.hpp"

using namespace andon;
using namespace andon::store::sqlite;

namespace {

/// Statements that may walk a whole table or sort, and why. Everything else must not.
std::map<std::string_view, std::string_view> const kAllowed{
    {"boards", "reads all boards, and there are few"},
    {"workers", "reads all workers, and there are few"},
    {"automations", "reads all automations, and there are few"},
    {"settings", "reads all settings, and there are few"},
    {"tokens", "the list of all credentials"},
    {"tokens_remove_ended", "runs once in a while over a small table"},
    {"runs_live", "walks the partial index of the few live runs"},
    {"runs_recent", "walks backwards from the newest"},
    {"events_select", "a part; walks from a number"},
    {"claims_of", "sorts the few claims of one holder"},
    {"search_forget", "all stale texts at once"},
    {"search_learn_tasks", "all stale texts at once"},
    {"search_learn_notes", "all stale texts at once"},
    {"search_stale_count", "counts at most as many as the index may miss"},
    {"search_snippet", "a full-text search for one text"},
    {"open_dependencies", "walks the list of columns it is given"},
    {"list_select", "a part; lists may filter on anything"},
    {"list_count", "a part; lists may filter on anything"},
    {"files", "a look at a whole directory, after it changed"},
    {"files_watched", "walks the partial index of the files that may change"},
    {"beside", "reads all of a dozen numbers"},
    {"beside_any", "stops at the first row"},
    {"file_problems", "walks the partial index of the files that may change"},
};

bool is_part(std::string_view name) {
  for (auto const* beginning : {"where_", "order_", "events_", "tally_", "search_"})
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
  for (auto const& [name, text] : named_texts()) {
    CAPTURE(name);
    if (is_part(name)) continue;
    auto const plan = plan_of(db, text);
    CAPTURE(plan);
    if (kAllowed.contains(name)) continue;
    ++checked;
    bool const scans = plan.find("SCAN ") != std::string::npos &&
                       plan.find("SCAN (subquery") == std::string::npos &&
                       plan.find("SCAN json_each") == std::string::npos &&  // a list the caller gave
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
  auto const tally = "SELECT t.status, t.priority, " + Query{"tally_counts"}.text() +
                     Query{"tally_where"}.text() + "GROUP BY 1, 2";
  for (auto const& sql : {tally, Query{"open_dependencies"}.text()}) {
    auto const plan = plan_of(db, sql);
    CAPTURE(plan);
    CHECK(plan.find("INDEX task_by_column (board=? AND status=?)") != std::string::npos);
    CHECK(plan.find("SCAN t") == std::string::npos);
  }
}

TEST_CASE("QueryPlans.OfMetricsUseTheirIndexes") {
  test::Scratch scratch;
  Connection db{(scratch / "andon.db").native(), Mode::owner};
  migrate(db);
  for (auto const& [name, index] : {std::pair{"finished", "task_finished"},
                                    {"longest_started", "task_under_way"},
                                    {"moves", "event_move"},
                                    {"moves_of", "event_by_task"},
                                    {"former_columns", "event_move"},
                                    {"runs_ended", "run_ended"}})
    CHECK(plan_of(db, Query{name}.text()).find(std::string{"USING INDEX "} + index) != std::string::npos);
}

TEST_CASE("QueryPlans.OfASearchByWordsLoadOnlyWhatItFound") {
  test::Scratch scratch;
  Connection db{(scratch / "andon.db").native(), Mode::owner};
  migrate(db);
  auto const statement = search_statement({{{"cart", false, false}, {"fix", false, false}}, {}});
  auto const plan = plan_of(db, statement.sql);
  CAPTURE(plan);
  CHECK(plan.find("SEARCH t USING INTEGER PRIMARY KEY") != std::string::npos);
}

TEST_CASE("QueryPlans.OfAPickReadTheIndexAlone") {
  test::Scratch scratch;
  Connection db{(scratch / "andon.db").native(), Mode::owner};
  migrate(db);
  for (auto const* name : {"pick_probe", "pick_probe_class", "pick_probe_others"})
    CHECK(plan_of(db, Query{name}.text()).find("COVERING INDEX task_pick") != std::string::npos);
  for (auto const* name : {"pick_probe_tag", "pick_probe_tag_class", "pick_probe_tag_others"})
    CHECK(plan_of(db, Query{name}.text()).find("SEARCH tag_queue USING PRIMARY KEY") != std::string::npos);
}
