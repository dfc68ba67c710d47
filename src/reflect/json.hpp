#pragma once

#include <string>
#include <string_view>

#include <boost/json/value.hpp>

#include "core/error.hpp"
#include "reflect/type.hpp"

namespace andon::reflect {

/// Bounds of a JSON text, checked by the tokenizer before any tree exists.
struct JsonLimits {
  std::size_t depth = 64;
  std::size_t nodes = 10'000;
};

/// Parses one JSON text: valid UTF-8, no duplicate keys, within the limits. Refuses with `MALFORMED`.
core::Result<boost::json::value> parse_json(std::string_view text, JsonLimits limits = {},
                                            boost::json::storage_ptr memory = {});

/// The treatment of keys that the struct does not have.
enum class Unknown { refuse, ignore };

/// Fills a described object. Absent members keep what they hold, lists and maps are replaced, `null`
/// empties an optional. Refuses with
/// `INVALID_INPUT` or `UNKNOWN_FIELD`, naming the field by its path (`tags/2`).
core::Result<void> from_json(Type const& type, void* object, boost::json::value const& value,
                             Unknown unknown = Unknown::refuse);

/// Refuses a value that cannot be an object of the type written by this or another version: a member of
/// another kind, or an object without the first member that its type always has, which names it. Later
/// versions add members behind the first. Names the field by its path.
core::Result<void> check_form(Type const& type, boost::json::value const& value);

/// Appends the object as compact JSON in the order of its members, leaving out what its fields say.
void write_json(Type const& type, void const* object, std::string& out);
/// Writes an object with every member, `null` for an absent one. Such an object replaces an older state
/// completely.
void write_whole_json(Type const& type, void const* object, std::string& out);
/// Appends a JSON string literal.
void write_string(std::string_view text, std::string& out);
/// Appends a number without an exponent or needless digits.
void write_number(double number, std::string& out);

template <class T>
core::Result<T> from_json(boost::json::value const& value, Unknown unknown = Unknown::refuse) {
  T out{};
  ANDON_CHECK(from_json(type_of<T>(), &out, value, unknown));
  return out;
}

template <class T>
core::Result<T> read_json(std::string_view text, Unknown unknown = Unknown::refuse) {
  ANDON_TRY(auto const value, parse_json(text));
  return from_json<T>(value, unknown);
}

template <class T>
std::string to_json(T const& object) {
  std::string out;
  write_json(type_of<T>(), &object, out);
  return out;
}

}  // namespace andon::reflect
