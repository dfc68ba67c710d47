#include "store/sqlite/database/cursor.hpp"

#include <string>

#include "store/sqlite/database/connection.hpp"

namespace andon::store::sqlite {
namespace {

constexpr int kMostParameters = 100;

/// The places of `$1…$n` behind an unused one, so that a parameter is the index of its place.
std::vector<int> places_of(sqlite3_stmt* handle) {
  std::vector<int> out{0};
  for (int parameter = 1, left = sqlite3_bind_parameter_count(handle);
       left > 0 && parameter < kMostParameters; ++parameter) {
    auto const name = "$" + std::to_string(parameter);
    out.push_back(sqlite3_bind_parameter_index(handle, name.c_str()));
    if (out.back() != 0) --left;
  }
  return out;
}

}  // namespace

SqliteCursor::SqliteCursor(Connection& db, StatementPool& pool, sqlite3_stmt* handle)
    : db_(db), pool_(pool), handle_(handle), places_(places_of(handle)) {}

void SqliteCursor::bind_null(int parameter) {
  if (int const at = place(parameter)) sqlite3_bind_null(handle_, at);
}

void SqliteCursor::bind_integer(int parameter, std::int64_t value) {
  if (int const at = place(parameter)) sqlite3_bind_int64(handle_, at, value);
}

void SqliteCursor::bind_real(int parameter, double value) {
  if (int const at = place(parameter)) sqlite3_bind_double(handle_, at, value);
}

void SqliteCursor::bind_text(int parameter, std::string_view value, sql::Lifetime lifetime) {
  int const at = place(parameter);
  if (at == 0) return;
  auto const* text = value.data() ? value.data() : "";
  auto const kept = lifetime == sql::Lifetime::call ? SQLITE_TRANSIENT : SQLITE_STATIC;
  auto const code = sqlite3_bind_text64(handle_, at, text, value.size(), kept, SQLITE_UTF8);
  if (code != SQLITE_OK) db_.fail(code, "bind");
}

bool SqliteCursor::step() {
  auto const code = sqlite3_step(handle_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  db_.fail(code, kRunning);
}

std::string_view SqliteCursor::view(int column) const {
  auto const* text = static_cast<char const*>(sqlite3_column_blob(handle_, column));
  return {text ? text : "", static_cast<std::size_t>(sqlite3_column_bytes(handle_, column))};
}

void SqliteCursor::give_back() {
  sqlite3_reset(handle_);
  --pool_.lent;
  pool_.idle.emplace_back(this);
}

}  // namespace andon::store::sqlite
