#include <atomic>

#include "store/postgres/driver/schema.hpp"
#include "store/postgres/opened.hpp"

using namespace andon;
using namespace andon::store::postgres;

namespace {

std::atomic<int> schemas = 0;

/// Settings with a schema that no other test has.
Settings settings_of_new_schema() {
  return Settings{test::PrivatePostgres::instance().url() + "&schema=test_" + std::to_string(++schemas)};
}

bool is_part(std::string_view name) {
  for (auto const* beginning : {"where_", "order_", "events_", "search_", "walk_", "probe_", "list_"})
    if (name.starts_with(beginning)) return true;
  return false;
}

bool is_of_transactions(std::string_view text) {
  for (auto const* beginning : {"BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE"})
    if (text.starts_with(beginning)) return true;
  return false;
}

}  // namespace

TEST_CASE("Statements.ArePreparedByPostgreSQL" * without_server()) {
  auto const settings = settings_of_new_schema();
  SqlConnection db{settings, Access::write};
  migrate(db, settings.schema(), {});
  for (auto const& [name, text] : store::sql::named_texts(store::sql::Dialect::postgres)) {
    if (text.empty() || is_part(name) || is_of_transactions(text)) continue;
    CAPTURE(name);
    CAPTURE(text);
    CHECK_NOTHROW(db.ask({name, "PREPARE tried AS " + numbered(text).text}, {}));
    try {
      db.ask({name, "DEALLOCATE tried"}, {});
    } catch (store::StoreError const&) {
    }
  }
}

TEST_CASE("Statements.ProbeIndexesInPlansThatWereMadeForEmptyTables" * without_server()) {
  auto const settings = settings_of_new_schema();
  SqlConnection db{settings, Access::write};
  migrate(db, settings.schema(), {});
  db.ask({"plan once", "SELECT set_config('plan_cache_mode', 'force_generic_plan', false)"}, {});
  int checked = 0;
  for (auto const& [name, text] : store::sql::named_texts(store::sql::Dialect::postgres)) {
    bool const is_hot = name.starts_with("pick_") || name.ends_with("_set") || name == "claims_of" ||
                        name == "tasks_by_ids" || name == "links_of" || name == "task_by_id";
    if (!is_hot || text.empty() || is_part(name) || name.starts_with("board_") || name == "column_load_set" ||
        name == "class_load_set")
      continue;
    CAPTURE(name);
    auto const form = numbered(text);
    db.ask({name, "PREPARE planned AS " + form.text}, {});
    std::string nulls;
    for (int i = 0; i < form.count; ++i) nulls += i == 0 ? "(NULL" : ", NULL";
    std::string plan;
    for (auto const row : db.ask({name, "EXPLAIN EXECUTE planned" + nulls + (nulls.empty() ? "" : ")")}, {}))
      plan += row.text(0) + "\n";
    db.ask({name, "DEALLOCATE planned"}, {});
    CAPTURE(plan);
    CHECK_FALSE(plan.contains("Seq Scan on task"));
    CHECK_FALSE(plan.contains("Hash Join"));
    ++checked;
  }
  CHECK(checked > 10);
}
