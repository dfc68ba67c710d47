#pragma once

#include <cstdint>
#include <string_view>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

namespace andon::bridge::telegram {

/// A member of a value from outside; null when it is no object or has no such member.
inline boost::json::value const* member(boost::json::value const* of, std::string_view name) {
  auto const* const object = of ? of->if_object() : nullptr;
  return object ? object->if_contains(name) : nullptr;
}

/// An integer member, 0 without it. No id of the Bot API is 0.
inline std::int64_t integer(boost::json::value const* of, std::string_view name) {
  auto const* const value = member(of, name);
  auto const* const number = value ? value->if_int64() : nullptr;
  return number ? *number : 0;
}

/// A text member, empty without it.
inline std::string_view text(boost::json::value const* of, std::string_view name) {
  auto const* const value = member(of, name);
  auto const* const string = value ? value->if_string() : nullptr;
  return string ? std::string_view{string->data(), string->size()} : std::string_view{};
}

/// True if the object has the member with the value true.
inline bool is_true(boost::json::value const* of, std::string_view name) {
  auto const* const value = member(of, name);
  return value && value->is_bool() && value->get_bool();
}

}  // namespace andon::bridge::telegram
