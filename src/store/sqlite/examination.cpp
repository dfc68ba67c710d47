#include "store/examination.hpp"

#include <sqlite3.h>

#include "os/file_lock.hpp"
#include "os/system_error.hpp"
#include "store/sqlite/connection.hpp"
#include "store/sqlite/schema.hpp"
#include "store/store.hpp"

namespace andon::store {
namespace {

using Kind = Finding::Kind;
using sqlite::Connection;

constexpr int kMostComplaints = 20;

void check_whole(Connection& db, std::vector<Finding>& out) {
  auto rows = db.assembled("PRAGMA integrity_check(" + std::to_string(kMostComplaints) + ")");
  bool is_whole = true;
  while (rows.step()) {
    if (rows.view(0) == "ok") continue;
    is_whole = false;
    out.push_back({Kind::fault, "database", rows.text(0) + "; restore a backup"});
  }
  if (is_whole) out.push_back({Kind::fact, "database", "is whole"});
  auto strays = db.assembled("PRAGMA foreign_key_check");
  for (int n = 0; n < kMostComplaints && strays.step(); ++n)
    out.push_back({Kind::fault, "database",
                   "a row of " + strays.text(0) + " names one of " + strays.text(2) + " that is not there"});
}

void check_schema(Connection& db, std::vector<Finding>& out) {
  auto const behind = sqlite::migrations_missing(db);
  if (behind > 0)
    out.push_back({Kind::repair, "schema", std::to_string(behind) + " steps behind this program"});
  else
    out.push_back({Kind::fact, "schema", "is the one of this program"});
}

}  // namespace

std::vector<Finding> examine_database(std::filesystem::path const& file) try {
  std::vector<Finding> out{{Kind::fact, "sqlite", sqlite3_libversion()}};
  auto const owner = os::lock_holder(file.native() + ".lock");
  out.push_back({Kind::fact, "owner",
                 owner ? "process " + std::to_string(*owner) : std::string{"no process has it open"}});
  Connection db(file.native(), sqlite::Mode::reader);
  check_schema(db, out);
  check_whole(db, out);
  return out;
} catch (StoreError const& error) {
  return {{Kind::fault, "database", error.what()}};
} catch (os::SystemError const& error) {
  return {{Kind::fault, "database", error.what()}};
}

}  // namespace andon::store
