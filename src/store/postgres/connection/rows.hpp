#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/time/time.hpp"
#include "store/postgres/connection/libpq.hpp"

namespace andon::store::postgres {

/// One row of `Rows`, which must outlive it. Reading a column as another type than the one that the server
/// sent, or a null as a value, throws a StoreError.
class Row {
 public:
  Row(PGresult const* result, int row) : result_(result), row_(row) {}

  bool is_null(int column) const;
  bool is_boolean(int column) const;
  bool is_text(int column) const;
  /// Reads int8, int4 and int2.
  std::int64_t integer(int column) const;
  bool boolean(int column) const;
  double real(int column) const;
  std::string_view view(int column) const;
  std::string text(int column) const { return std::string{view(column)}; }
  std::span<std::byte const> bytes(int column) const;
  core::Instant instant(int column) const { return core::Instant{core::Duration{integer(column)}}; }
  std::optional<core::Instant> maybe_instant(int column) const {
    return is_null(column) ? std::nullopt : std::optional{instant(column)};
  }
  /// The id that a column names; nothing where it is null.
  template <class Id>
  std::optional<Id> maybe_id(int column) const {
    return is_null(column) ? std::nullopt : std::optional{Id{integer(column)}};
  }

 private:
  std::string_view value(int column, std::initializer_list<Oid> types, std::string_view wanted) const;

  PGresult const* result_;
  int row_;
};

/// The result of a statement, in binary form.
class Rows {
 public:
  class Iterator {
   public:
    Iterator(PGresult const* result, int row) : result_(result), row_(row) {}
    Row operator*() const { return {result_, row_}; }
    Iterator& operator++() {
      ++row_;
      return *this;
    }
    bool operator==(Iterator const& other) const = default;

   private:
    PGresult const* result_;
    int row_;
  };

  Rows() = default;
  explicit Rows(ResultHandle result) : result_(std::move(result)) {}

  int size() const { return result_ ? libpq().result.rows(result_.get()) : 0; }
  bool empty() const { return size() == 0; }
  Row operator[](int row) const;
  Iterator begin() const { return {result_.get(), 0}; }
  Iterator end() const { return {result_.get(), size()}; }

 private:
  ResultHandle result_;
};

}  // namespace andon::store::postgres
