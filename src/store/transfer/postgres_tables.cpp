#include "store/transfer/postgres_tables.hpp"

#include <algorithm>
#include <array>
#include <ranges>

#include "store/contract/store_error.hpp"

namespace andon::store::transfer {
namespace {

using postgres::Parameters;
using postgres::Statement;

Statement const kFetch{"read the next rows", "FETCH 200 FROM copied"};
Statement const kClose{"end the reading of a table", "CLOSE copied"};

/// The tables in which a new schema has a row.
constexpr std::array<std::string_view, 3> kBegun{"identity", "numbered", "flow_settled"};

std::string_view type_name(ValueKind kind) {
  switch (kind) {
    case ValueKind::integer: return "bigint";
    case ValueKind::real: return "double precision";
    case ValueKind::text: return "text";
  }
  return {};
}

Statement declare(Table const& table) {
  std::string order;
  for (auto const& column : table.columns | std::views::take(table.keys))
    order += (order.empty() ? "" : ", ") + quoted(column.name);
  return {"read the table " + std::string{table.name}, "DECLARE copied NO SCROLL CURSOR FOR SELECT " +
                                                           column_list(table) + " FROM " +
                                                           quoted(table.name) + " ORDER BY " + order};
}

Statement insert(Table const& table) {
  std::string arrays;
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    arrays += (i == 0 ? "$" : ", $") + std::to_string(i + 1) +
              "::" + std::string{type_name(table.columns[i].kind)} + "[]";
  auto const columns = column_list(table);
  return {"fill the table " + std::string{table.name}, "INSERT INTO " + quoted(table.name) + " (" + columns +
                                                           ") SELECT " + columns + " FROM unnest(" + arrays +
                                                           ") AS sent (" + columns + ")"};
}

Value value_in(postgres::Row const& row, int at, ValueKind kind) {
  if (row.is_null(at)) return {};
  switch (kind) {
    case ValueKind::integer: return row.integer(at);
    case ValueKind::real: return row.real(at);
    case ValueKind::text: return row.text(at);
  }
  return {};
}

/// The values of one column, as an array that views the rows.
template <class Kept, class Element>
void add_array(std::vector<Row> const& rows, std::size_t at, Parameters& out) {
  std::vector<std::optional<Element>> values;
  values.reserve(rows.size());
  for (auto const& row : rows) {
    auto const* value = std::get_if<Kept>(&row[at]);
    values.push_back(value ? std::optional<Element>{*value} : std::nullopt);
  }
  out.add(values);
}

void add_column(std::vector<Row> const& rows, std::size_t at, ValueKind kind, Parameters& out) {
  switch (kind) {
    case ValueKind::integer: return add_array<std::int64_t, std::int64_t>(rows, at, out);
    case ValueKind::real: return add_array<double, double>(rows, at, out);
    case ValueKind::text: return add_array<std::string, std::string_view>(rows, at, out);
  }
}

std::string text_of(Value const& value) {
  if (auto const* integer = std::get_if<std::int64_t>(&value)) return std::to_string(*integer);
  auto const* text = std::get_if<std::string>(&value);
  return text ? *text : "";
}

std::string key_of(Table const& table, Row const& row) {
  std::string out;
  for (std::size_t i = 0; i < table.keys; ++i)
    out += (i == 0 ? "" : ", ") + std::string{table.columns[i].name} + " " + text_of(row[i]);
  std::ranges::replace(out, '\0', '?');
  return out;
}

bool has_zero_byte(Value const& value) {
  auto const* text = std::get_if<std::string>(&value);
  return text && text->contains('\0');
}

void refuse_zero_bytes(Table const& table, Row const& row) {
  auto const found = std::ranges::find_if(row, has_zero_byte);
  if (found == row.end()) return;
  auto const& column = table.columns[static_cast<std::size_t>(found - row.begin())];
  throw StoreError{StoreError::Kind::refused, "the column " + std::string{column.name} + " of the table " +
                                                  std::string{table.name} + " has a zero byte in the row " +
                                                  key_of(table, row) +
                                                  ", which PostgreSQL cannot keep; change that text first"};
}

}  // namespace

void PostgresTables::read(Table const& table, std::function<void(Row const&)> const& visit) {
  Row values(table.columns.size());
  db_.queue(declare(table), {});
  for (auto rows = db_.ask(kFetch, {}); !rows.empty(); rows = db_.ask(kFetch, {}))
    for (auto const row : rows) {
      for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = value_in(row, static_cast<int>(i), table.columns[i].kind);
      visit(values);
    }
  db_.queue(kClose, {});
}

void PostgresTables::add(Table const& table, std::vector<Row> const& rows) {
  for (auto const& row : rows) refuse_zero_bytes(table, row);
  Parameters parameters;
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    add_column(rows, i, table.columns[i].kind, parameters);
  db_.queue(insert(table), parameters);
  db_.flush();
}

/// TRUNCATE would take the rows from readers that began earlier.
void PostgresTables::clear() {
  for (auto const& table : tables() | std::views::reverse)
    db_.queue({"empty the table " + std::string{table.name}, "DELETE FROM " + quoted(table.name)}, {});
  db_.flush();
}

bool PostgresTables::are_new() {
  return std::ranges::none_of(tables(), [&](Table const& table) {
    if (std::ranges::find(kBegun, table.name) != kBegun.end()) return false;
    return !db_.ask({"look for rows", "SELECT 1 FROM " + quoted(table.name) + " LIMIT 1"}, {}).empty();
  });
}

void refuse_attached_boards(postgres::SqlConnection& db) {
  auto const rows = db.ask({"look for attached boards",
                            "SELECT name FROM board WHERE as_json(document) ->> 'directory' <> '' LIMIT 1"},
                           {});
  if (rows.empty()) return;
  auto const name = rows[0].text(0);
  throw StoreError{StoreError::Kind::refused,
                   "board \"" + name +
                       "\" keeps its tasks in files, which a store of many servers cannot; detach it first: "
                       "andon boards detach " +
                       name};
}

}  // namespace andon::store::transfer
