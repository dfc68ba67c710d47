#include <map>

#include <doctest/doctest.h>

#include "store/sqlite/connection.hpp"
#include "store/sqlite/schema.hpp"
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
    {"search_find", "a full-text search"},
    {"search_add", "a full-text insert"},
    {"list_select", "a part; lists may filter on anything"},
    {"list_count", "a part; lists may filter on anything"},
};

bool is_part(std::string_view name) {
  return name.starts_with("where_") || name.starts_with("order_") || name.starts_with("events_");
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
                       plan.find("SCAN CONSTANT ROW") == std::string::npos;
    CHECK_FALSE(scans);
    CHECK(plan.find("TEMP B-TREE") == std::string::npos);
  }
  CHECK(checked > 40);
}

TEST_CASE("QueryPlans.OfAPickReadTheIndexAlone") {
  test::Scratch scratch;
  Connection db{(scratch / "andon.db").native(), Mode::owner};
  migrate(db);
  for (auto const* name : {"pick_probe", "pick_probe_class", "pick_probe_others"})
    CHECK(plan_of(db, Query{name}.text()).find("COVERING INDEX task_pick") != std::string::npos);
}
