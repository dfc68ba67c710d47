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

TEST_CASE("Cursor.FetchesTheRowsOfAnUnboundedStatementInParts" * without_server()) {
  auto const settings = settings_of_new_schema();
  SqlConnection db{settings, Access::write};
  migrate(db, settings.schema(), {});
  db.ask({"add events",
          "INSERT INTO event (seq, ts, actor, kind, board) "
          "SELECT i, i, 'user:ann', 'task.edited', 'shop' FROM generate_series(1, 5000) AS i"},
         {});
  auto const parts_open = [&] {
    return db.ask({"look", "SELECT count(*) FROM pg_cursors WHERE name LIKE 'andon%'"}, {})[0].integer(0);
  };
  db.ask({"begin", "BEGIN"}, {});
  db.note_transaction(true);
  {
    auto rows = db.query(store::sql::Query{"events_walk"}, "shop", "task.edited", 0);
    std::int64_t last = 0;
    for (int n = 1; n <= 70; ++n) {
      REQUIRE(rows.step());
      CHECK(rows.integer(0) == last + 1);
      last = rows.integer(0);
    }
    CHECK(parts_open() == 1);
    while (rows.step()) CHECK(rows.integer(0) == ++last);
    CHECK(last == 5000);
  }
  CHECK(parts_open() == 0);
  db.ask({"end", "ROLLBACK"}, {});
}

TEST_CASE("Statements.ReadDocumentsWithAnEscapedZeroCharacter" * without_server()) {
  auto const settings = settings_of_new_schema();
  SqlConnection db{settings, Access::write};
  migrate(db, settings.schema(), {});
  auto const rows =
      db.ask({"read", R"(SELECT as_json('{"worker":"ann","result":"a\u0000b"}') ->> 'worker')"}, {});
  CHECK(rows[0].view(0) == "ann");
}
