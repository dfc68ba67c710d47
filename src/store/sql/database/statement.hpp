#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/time/time.hpp"
#include "store/sql/database/cursor.hpp"

namespace andon::store::sql {

/// A running statement. Its cursor is borrowed from the connection, and its destructor gives it back. Bound
/// texts must outlive the statement, except temporary `std::string`s, which are copied.
class Statement {
 public:
  explicit Statement(Cursor& cursor) : cursor_(&cursor) {}
  Statement(Statement&& other) noexcept : cursor_(std::exchange(other.cursor_, nullptr)) {}
  Statement& operator=(Statement&&) = delete;
  ~Statement() {
    if (cursor_) cursor_->give_back();
  }

  /// Moves to the next row; false at the end.
  bool step() { return cursor_->step(); }

  std::int64_t integer(int column) const { return cursor_->integer(column); }
  bool is_null(int column) const { return cursor_->is_null(column); }
  double real(int column) const { return cursor_->real(column); }
  bool is_text(int column) const { return cursor_->is_text(column); }
  /// The result is valid until the next step.
  std::string_view view(int column) const { return cursor_->view(column); }
  std::string text(int column) const { return std::string{view(column)}; }
  core::Instant instant(int column) const { return core::Instant{core::Duration{integer(column)}}; }
  std::optional<core::Instant> maybe_instant(int column) const {
    return is_null(column) ? std::nullopt : std::optional{instant(column)};
  }
  /// The id that a column names; nothing where it is null.
  template <class Id>
  std::optional<Id> maybe_id(int column) const {
    return is_null(column) ? std::nullopt : std::optional{Id{integer(column)}};
  }

  void bind(int parameter, std::nullptr_t) { cursor_->bind_null(parameter); }
  void bind(int parameter, std::int64_t value) { cursor_->bind_integer(parameter, value); }
  void bind(int parameter, double value) { cursor_->bind_real(parameter, value); }
  void bind(int parameter, int value) { bind(parameter, std::int64_t{value}); }
  void bind(int parameter, bool value) { bind(parameter, std::int64_t{value}); }
  void bind(int parameter, std::size_t value) { bind(parameter, static_cast<std::int64_t>(value)); }
  void bind(int parameter, core::Instant value) {
    bind(parameter, std::int64_t{value.time_since_epoch().count()});
  }
  void bind(int parameter, std::string_view value) {
    cursor_->bind_text(parameter, value, Lifetime::statement);
  }
  void bind(int parameter, std::string const& value) { bind(parameter, std::string_view{value}); }
  void bind(int parameter, std::string&& value) { cursor_->bind_text(parameter, value, Lifetime::call); }
  void bind(int parameter, char const* value) { bind(parameter, std::string_view{value}); }
  template <class T>
  void bind(int parameter, std::optional<T> const& value) {
    value ? bind(parameter, *value) : bind(parameter, nullptr);
  }
  /// Binds the arguments to `$1…$n`.
  template <class... Arguments>
  void bind_all(Arguments&&... arguments) {
    int parameter = 0;
    (bind(++parameter, std::forward<Arguments>(arguments)), ...);
  }

 private:
  Cursor* cursor_;
};

}  // namespace andon::store::sql
