#pragma once

#include <cstdint>
#include <string_view>

namespace andon::store::sql {

/// The time for which a bound text stays valid: until the statement ends, or only during the call.
enum class Lifetime { statement, call };

/// A statement of a database, prepared to run. The connection lends it to a `Statement` and keeps it for the
/// next one. A parameter that the statement does not use is ignored.
class Cursor {
 public:
  virtual void bind_null(int parameter) = 0;
  virtual void bind_integer(int parameter, std::int64_t value) = 0;
  virtual void bind_real(int parameter, double value) = 0;
  virtual void bind_text(int parameter, std::string_view value, Lifetime lifetime) = 0;

  /// Moves to the next row; false at the end.
  virtual bool step() = 0;

  virtual std::int64_t integer(int column) const = 0;
  virtual double real(int column) const = 0;
  virtual std::string_view view(int column) const = 0;
  virtual bool is_null(int column) const = 0;
  virtual bool is_text(int column) const = 0;

  /// Ends the statement. The cursor must not be used after that.
  virtual void give_back() = 0;

 protected:
  ~Cursor() = default;
};

}  // namespace andon::store::sql
