#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/time/time.hpp"

namespace andon::store::postgres {

/// The numbers of PostgreSQL for the types of parameters; `unknown` lets the server find the type.
enum class Type : unsigned {
  unknown = 0,
  boolean = 16,
  bytes = 17,
  integer = 20,
  text = 25,
  real = 701,
  booleans = 1000,
  texts = 1009,
  integers = 1016,
  reals = 1022,
};

/// The type in which a C++ value is sent.
template <class Value>
constexpr Type type_of() {
  if constexpr (std::same_as<Value, bool>)
    return Type::boolean;
  else if constexpr (std::integral<Value> || std::same_as<Value, core::Instant>)
    return Type::integer;
  else if constexpr (std::floating_point<Value>)
    return Type::real;
  else if constexpr (std::is_convertible_v<Value const&, std::string_view>)
    return Type::text;
  else
    return Type::bytes;
}

constexpr Type array_of(Type element) {
  switch (element) {
    case Type::boolean: return Type::booleans;
    case Type::integer: return Type::integers;
    case Type::real: return Type::reals;
    default: return Type::texts;
  }
}

/// The values of `$1…$n`, in PostgreSQL's binary form. They are copied, so that nothing has to outlive them.
/// Vectors become arrays, as for `unnest($1::int8[], $2::text[])` and `= ANY($1)`.
class Parameters {
 public:
  template <class... Values>
  static Parameters of(Values const&... values) {
    Parameters out;
    (out.add(values), ...);
    return out;
  }

  Parameters& add(std::nullptr_t) { return add_null(Type::unknown); }
  /// A text with a zero byte is refused by a StoreError; PostgreSQL cannot keep one.
  template <class Value>
  Parameters& add(Value const& value) {
    begin(type_of<Value>());
    append(value);
    return end();
  }
  /// A null has the type of the values, so that both use one prepared statement.
  template <class Value>
  Parameters& add(std::optional<Value> const& value) {
    return value ? add(*value) : add_null(type_of<Value>());
  }
  template <class Element>
  Parameters& add(std::vector<Element> const& elements) {
    constexpr Type kType = type_of<typename Plain<Element>::type>();
    static_assert(kType != Type::bytes, "send bytes as a std::span");
    begin(array_of(kType));
    append_header(kType, elements.size());
    for (Element const& element : elements) append_element(element);
    return end();
  }

  /// A value in the text form of a type that the server finds.
  Parameters& add_untyped(std::optional<std::string> const& value);

  int size() const { return static_cast<int>(types_.size()); }
  std::vector<unsigned> const& types() const { return types_; }
  std::vector<int> const& lengths() const { return lengths_; }
  /// 1 for the binary form of a type, 0 for its text form.
  std::vector<int> const& formats() const { return formats_; }
  /// Null for a null. Valid until the next `add`.
  std::vector<char const*> pointers() const;

 private:
  template <class Element>
  struct Plain {
    using type = Element;
  };
  template <class Element>
  struct Plain<std::optional<Element>> {
    using type = Element;
  };

  void begin(Type type);
  Parameters& end();
  Parameters& add_null(Type type);
  template <std::integral Integer>
  void append(Integer value) {
    if constexpr (std::same_as<Integer, bool>)
      bytes_ += value ? '\1' : '\0';
    else
      append_number(static_cast<std::uint64_t>(value), 8);
  }
  void append(double value);
  void append(core::Instant value) { append(std::int64_t{value.time_since_epoch().count()}); }
  void append(std::string_view text);
  void append(std::span<std::byte const> bytes);
  void append_number(std::uint64_t value, int size);
  void append_header(Type element, std::size_t count);
  template <class Element>
  void append_element(Element const& element) {
    auto const start = begin_element();
    append(element);
    end_element(start);
  }
  template <class Element>
  void append_element(std::optional<Element> const& element) {
    element ? append_element(*element) : append_number(static_cast<std::uint32_t>(-1), 4);
  }
  std::size_t begin_element();
  void end_element(std::size_t start);

  std::vector<unsigned> types_;
  std::vector<int> lengths_;  ///< -1 for a null
  std::vector<int> formats_;
  std::vector<std::size_t> starts_;
  std::string bytes_;
};

}  // namespace andon::store::postgres
