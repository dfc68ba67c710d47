#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/postgres/connection/rows.hpp"
#include "store/postgres/connection/statement.hpp"
#include "store/postgres/session/deferred_sets.hpp"
#include "store/sql/database/cursor.hpp"

namespace andon::store::postgres {

/// A text with its parameters numbered without gaps: PostgreSQL must know the type of each number up to the
/// highest one.
struct Numbered {
  std::string text;
  std::vector<int> places;  ///< the new number at the place of the old one; 0 for one that is not used
  int count = 0;
};
Numbered numbered(std::string const& text);

/// The name of all statements that are assembled at run time.
inline constexpr std::string_view kAssembled = "an assembled statement";

/// The cursors of one text. Several exist while several statements of the text run.
struct CursorPool {
  std::vector<std::unique_ptr<class PostgresCursor>> idle;
  int lent = 0;
};

/// A statement with its parameters as texts, whose types the server finds. Within a transaction the rows of a
/// statement without a bound are fetched in parts, so that a reader who stops early costs little. All rows of
/// others are read at once.
class PostgresCursor final : public sql::Cursor {
 public:
  PostgresCursor(class SqlConnection& db, CursorPool& pool, std::string const& name, std::string const& text);
  PostgresCursor(PostgresCursor const&) = delete;
  PostgresCursor& operator=(PostgresCursor const&) = delete;
  ~PostgresCursor() = default;

  void bind_null(int parameter) override { set(parameter, std::nullopt); }
  void bind_integer(int parameter, std::int64_t value) override { set(parameter, std::to_string(value)); }
  void bind_real(int parameter, double value) override;
  void bind_text(int parameter, std::string_view value, sql::Lifetime) override {
    set(parameter, std::string{value});
  }

  /// A statement that returns no rows is only queued.
  bool step() override;

  std::int64_t integer(int column) const override;
  double real(int column) const override { return is_null(column) ? 0 : row().real(column); }
  std::string_view view(int column) const override;
  bool is_null(int column) const override { return row().is_null(column); }
  bool is_text(int column) const override { return row().is_text(column); }

  void give_back() override;

 private:
  void run();
  /// Fetches the next part of the rows.
  void fetch();
  void set(int parameter, std::optional<std::string> value);
  Row row() const { return rows_[at_]; }

  SqlConnection& db_;
  CursorPool& pool_;
  Statement statement_;
  std::vector<int> places_;
  std::vector<std::optional<std::string>> values_;
  bool returns_rows_;
  std::optional<SetKind> set_;  ///< it can wait for others of its kind
  std::string portal_;          ///< the name under which its rows are fetched in parts; empty for others
  int fetched_ = 0;             ///< the rows of the last part that was asked for; 0 when there are no parts
  bool has_run_ = false;
  Rows rows_{};
  int at_ = -1;
};

}  // namespace andon::store::postgres
