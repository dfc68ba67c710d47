#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace andon::store::transfer {

enum class ValueKind { integer, real, text };

/// A column that both databases have.
struct Column {
  std::string_view name;
  ValueKind kind;
  /// SQLite keeps the text as an integer in rows of which this condition is true.
  std::string_view integer_where{};
};

/// A table that is copied. Its first columns are its key.
struct Table {
  std::string_view name;
  std::size_t keys;
  std::vector<Column> columns;
};

/// All tables, each after those that it refers to. Texts that are only there to be searched, the steps of
/// the schema and the turns of servers belong to one database and are not copied.
std::vector<Table> const& tables();

/// A name as it stands in SQL; some are reserved words.
std::string quoted(std::string_view name);
/// The quoted names of the columns, with commas between.
std::string column_list(Table const& table);

}  // namespace andon::store::transfer
