#include "store/postgres/open_postgres.hpp"

#include <utility>

#include "store/engine/writer/driver_store.hpp"
#include "store/postgres/driver/postgres_driver.hpp"
#include "store/postgres/driver/schema.hpp"

namespace andon::store::postgres {

void migrate(std::string_view url, core::Instant now) {
  Settings const settings{url};
  SqlConnection db{settings, Access::write};
  migrate(db, settings.schema(), now);
}

std::unique_ptr<Store> open_postgres(std::string_view url, engine::OnFatal on_fatal, core::Instant now) {
  Settings settings{url};
  SqlConnection db{settings, Access::write};
  migrate(db, settings.schema(), now);
  return std::make_unique<engine::DriverStore>(std::make_shared<PostgresDriver>(std::move(settings)), nullptr,
                                               std::move(on_fatal), engine::ReadingSessions::many);
}

}  // namespace andon::store::postgres
