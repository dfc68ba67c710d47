#include "store/postgres/examination.hpp"

#include <chrono>
#include <string>

#include "os/processes/clock.hpp"
#include "store/contract/store_error.hpp"
#include "store/postgres/driver/schema.hpp"
#include "store/postgres/servers/postgres_servers.hpp"

namespace andon::store::postgres {
namespace {

using sql::Query;

Query const kServer{"examine_server"};
Query const kRules{"examine_rules"};
Query const kCopies{"examine_copies"};

/// Each Andon server needs up to eleven connections.
constexpr std::int64_t kFewConnections = 12;
constexpr core::Duration kMuchOffset = std::chrono::seconds{5};

void add(std::vector<Finding>& out, bool is_well, std::string about, std::string text) {
  out.push_back({is_well ? Finding::Kind::fact : Finding::Kind::fault, std::move(about), std::move(text)});
}

void tell_server(SqlConnection& db, std::vector<Finding>& out) {
  auto row = db.query(kServer);
  row.step();
  auto const most = row.integer(1), used = row.integer(2);
  add(out, true, "postgresql", row.text(0));
  add(out, true, "size", std::to_string((row.integer(3) + (1 << 20) - 1) >> 20) + " MiB");
  add(out, most - used >= kFewConnections, "connections",
      std::to_string(used) + " of " + std::to_string(most) +
          (most - used >= kFewConnections ? "" : "; raise max_connections: a server needs up to eleven"));
}

void tell_schema(SqlConnection& db, std::vector<Finding>& out) {
  auto const missing = steps_missing(db);
  if (missing == 0) return add(out, true, "schema", "is the one of this program");
  out.push_back({Finding::Kind::repair, "schema",
                 std::to_string(missing) + " steps behind this program; run `andon store migrate`"});
}

void tell_rules(SqlConnection& db, std::vector<Finding>& out) {
  bool is_well = true;
  for (auto row = db.query(kRules); row.step();)
    if (row.integer(1) > 0) {
      is_well = false;
      add(out, false, "rules", std::to_string(row.integer(1)) + " times " + row.text(0));
    }
  if (is_well) add(out, true, "rules", "are kept by all rows");
}

void tell_copies(SqlConnection& db, std::vector<Finding>& out) {
  for (auto row = db.query(kCopies); row.step();)
    out.push_back(suspected_copies(row.text(0), row.integer(1)));
}

std::string line_of(ServerState const& state) {
  return state.server.version + ", " +
         (state.is_alive ? "alive" : "last heard of " + core::to_text(state.seen)) +
         (state.leads ? ", leads" : "") + (state.server.url.empty() ? "" : ", " + state.server.url);
}

void tell_servers(Settings const& settings, std::vector<Finding>& out) {
  PostgresServers servers{settings, ""};
  for (auto const& each : servers.all()) add(out, true, "server " + each.server.name, line_of(each));
  auto const offset = servers.measure_clock();
  auto const seconds = std::chrono::duration_cast<std::chrono::seconds>(offset).count();
  bool const is_well = std::chrono::abs(offset) <= kMuchOffset;
  add(out, is_well, "clock",
      is_well ? "agrees with that of the database"
              : "differs by " + std::to_string(seconds) + " s from that of the database; set it");
}

}  // namespace

std::vector<Finding> examine(std::string_view url) try {
  Settings const settings{url};
  std::vector<Finding> out;
  SqlConnection db{settings, Access::read};
  add(out, true, "store", settings.display_url());
  tell_server(db, out);
  tell_schema(db, out);
  tell_rules(db, out);
  tell_copies(db, out);
  tell_servers(settings, out);
  return out;
} catch (StoreError const& error) {
  return {{Finding::Kind::fault, "store", error.what()}};
}

}  // namespace andon::store::postgres
