#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace andon::store::sql {

/// The databases. Each may have statements of its own.
enum class Dialect { sqlite, postgres };

/// A statement of the .sql files: the text below its `-- name:` line, with slots such as `{task}` or `{max}`
/// filled as the database writes them (`kSlots` in statements.cpp).
struct NamedText {
  std::string name;
  std::string text;
};
/// The statements of a database. They have the same places in every dialect. A text of the database's own
/// files replaces the shared one; the text of a statement that only another database has is empty.
std::span<NamedText const> named_texts(Dialect dialect);

/// The index of a statement in `named_texts`, looked up once. A name that no database knows is a defect and
/// ends the process at start.
class Query {
 public:
  explicit Query(std::string_view name);
  std::size_t index() const { return index_; }
  std::string const& text(Dialect dialect) const { return named_texts(dialect)[index_].text; }

 private:
  std::size_t index_;
};

}  // namespace andon::store::sql
