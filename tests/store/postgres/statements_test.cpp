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
