#include "store/transfer/sqlite_tables.hpp"

#include <ranges>

namespace andon::store::transfer {
namespace {

constexpr std::string_view kGiven = "given";

/// The rows of a table where SQLite does not keep them in it alone.
std::string rows_of(Table const& table) {
  if (table.name != kGiven) return quoted(table.name);
  return "(SELECT name, last FROM given UNION ALL "
         "SELECT name, seq FROM sqlite_sequence WHERE name = 'automation')";
}

/// A text that is an integer in some rows is read as a text.
std::string read_form(Column const& column) {
  auto const name = quoted(column.name);
  return column.integer_where.empty() ? name : "CAST(" + name + " AS TEXT)";
}

std::string kept_form(Column const& column) {
  auto const name = quoted(column.name);
  if (column.integer_where.empty()) return name;
  return "CASE WHEN " + std::string{column.integer_where} + " THEN CAST(" + name + " AS INTEGER) ELSE " +
         name + " END";
}

std::string read_forms(Table const& table, std::size_t count) {
  std::string out;
  for (auto const& column : table.columns | std::views::take(count))
    out += (out.empty() ? "" : ", ") + read_form(column);
  return out;
}

std::string select_text(Table const& table) {
  return "SELECT " + read_forms(table, table.columns.size()) + " FROM " + rows_of(table) + " ORDER BY " +
         read_forms(table, table.keys);
}

std::string insert_text(Table const& table) {
  std::string values;
  std::string kept;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    auto const* const comma = i == 0 ? "" : ", ";
    values += comma + ("$" + std::to_string(i + 1)) + " AS " + quoted(table.columns[i].name);
    kept += comma + kept_form(table.columns[i]);
  }
  return "INSERT INTO " + quoted(table.name) + " (" + column_list(table) + ") SELECT " + kept +
         " FROM (SELECT " + values + ")" + (table.name == kGiven ? " WHERE name <> 'automation'" : "");
}

Value value_in(sql::Statement const& row, int at, ValueKind kind) {
  if (row.is_null(at)) return {};
  switch (kind) {
    case ValueKind::integer: return row.integer(at);
    case ValueKind::real: return row.real(at);
    case ValueKind::text: return row.text(at);
  }
  return {};
}

void bind_value(sql::Statement& statement, int parameter, Value const& value) {
  if (auto const* integer = std::get_if<std::int64_t>(&value)) return statement.bind(parameter, *integer);
  if (auto const* real = std::get_if<double>(&value)) return statement.bind(parameter, *real);
  if (auto const* text = std::get_if<std::string>(&value)) return statement.bind(parameter, *text);
  statement.bind(parameter, nullptr);
}

}  // namespace

void SqliteTables::read(Table const& table, std::function<void(Row const&)> const& visit) {
  Row values(table.columns.size());
  auto row = db_.assembled(select_text(table));
  while (row.step()) {
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = value_in(row, static_cast<int>(i), table.columns[i].kind);
    visit(values);
  }
}

void SqliteTables::run_for(std::vector<Row> const& rows, std::string const& text) {
  for (auto const& row : rows) {
    auto statement = db_.assembled(text);
    for (std::size_t i = 0; i < row.size(); ++i) bind_value(statement, static_cast<int>(i) + 1, row[i]);
    statement.step();
  }
}

void SqliteTables::add(Table const& table, std::vector<Row> const& rows) {
  run_for(rows, insert_text(table));
  if (table.name != kGiven) return;
  run_for(rows, "DELETE FROM sqlite_sequence WHERE name = $1");
  run_for(rows, "INSERT INTO sqlite_sequence (name, seq) SELECT $1, $2 WHERE $1 = 'automation'");
}

void SqliteTables::clear() {
  for (auto const& table : tables() | std::views::reverse) db_.execute("DELETE FROM " + quoted(table.name));
  db_.execute("DELETE FROM sqlite_sequence");
}

void SqliteTables::rebuild_texts() {
  db_.execute("INSERT INTO search_stale (document) SELECT id FROM task UNION ALL SELECT -event FROM note");
}

}  // namespace andon::store::transfer
