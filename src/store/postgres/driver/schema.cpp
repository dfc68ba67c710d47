#include "store/postgres/driver/schema.hpp"

#include <algorithm>
#include <charconv>
#include <set>
#include <vector>

#include "os/embedded.hpp"
#include "store/contract/store_error.hpp"

namespace andon::store::postgres {
namespace {

using enum StoreError::Kind;

/// The line of a step that programs without it can work with: `-- oldest program: 3` lets those that know
/// step 3 go on. So servers can be upgraded one after the other.
constexpr std::string_view kOldest = "-- oldest program: ";

struct Step {
  int version = 0;
  int oldest = 0;
  std::string name;
  std::string text;
  std::string checksum;
};

int number_at(std::string_view text, int otherwise) {
  int out = otherwise;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

Step step_of(EmbeddedFile const& file) {
  std::string const text{reinterpret_cast<char const*>(file.raw.data()), file.raw.size()};
  auto const version = number_at(file.path, 0);
  auto const oldest = text.find(kOldest);
  return {version,
          oldest == std::string::npos
              ? version
              : number_at(std::string_view{text}.substr(oldest + kOldest.size()), version),
          std::string{file.path}, text, std::string{file.etag}};
}

std::vector<Step> steps() {
  std::vector<Step> out;
  for (auto const& file : postgres_files())
    if (number_at(file.path, 0) > 0) out.push_back(step_of(file));
  return out;
}

[[noreturn]] void refuse_as_newer(std::int64_t version, std::int64_t known) {
  throw StoreError{newer_schema, "the database was written by a newer Andon (schema " +
                                     std::to_string(version) + ", this program knows " +
                                     std::to_string(known) + "); install a newer version"};
}

bool has_tables(SqlConnection& db) {
  auto row = db.assembled("SELECT to_regclass('schema_migration') IS NOT NULL");
  return row.step() && row.integer(0) != 0;
}

/// The steps that the database has. Those that this program does not know are none of them.
std::set<int> applied(SqlConnection& db, std::vector<Step> const& known) {
  std::set<int> out;
  if (!has_tables(db)) return out;
  auto row = db.assembled("SELECT version, checksum, oldest FROM schema_migration ORDER BY version");
  while (row.step()) {
    auto const version = static_cast<int>(row.integer(0));
    auto const step = std::ranges::find(known, version, &Step::version);
    if (step == known.end() && row.integer(2) > known.back().version)
      refuse_as_newer(version, known.back().version);
    if (step == known.end()) continue;
    if (step->checksum != row.view(1))
      throw StoreError{damaged, "step " + std::to_string(version) +
                                    " of the database's schema is not the one this program knows; use the "
                                    "program that wrote it"};
    out.insert(version);
  }
  return out;
}

/// The names and numbers are those of this program, so that nothing has to be quoted.
std::string script_of(Step const& step, core::Instant now) {
  return step.text + "\nINSERT INTO schema_migration VALUES (" + std::to_string(step.version) + ", '" +
         step.name + "', '" + step.checksum + "', " + std::to_string(step.oldest) + ", " +
         std::to_string(now.time_since_epoch().count()) + ");\n";
}

}  // namespace

void migrate(SqlConnection& db, std::string const& schema, core::Instant now) {
  auto const known = steps();
  auto done = applied(db, known);
  if (done.size() == known.size()) return;
  std::string script = "SELECT pg_advisory_xact_lock(1634624624);\n";
  if (done.empty()) script += "CREATE SCHEMA IF NOT EXISTS \"" + schema + "\";\n";
  for (auto const& step : known)
    if (!done.contains(step.version)) script += script_of(step, now);
  try {
    db.run_script("bring the schema up to date", script);
  } catch (StoreError const&) {
    if (applied(db, known).size() != known.size()) throw;  // another server has done it meanwhile
  }
}

std::size_t steps_missing(SqlConnection& db) {
  auto const known = steps();
  return known.size() - applied(db, known).size();
}

void refuse_newer(SqlConnection& db) { static_cast<void>(applied(db, steps())); }

}  // namespace andon::store::postgres
