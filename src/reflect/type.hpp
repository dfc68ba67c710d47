#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <boost/json/value.hpp>

#include "core/field.hpp"
#include "core/id.hpp"
#include "reflect/text.hpp"

namespace andon::reflect {

enum class Kind { boolean, integer, number, text, object, list, optional, map, json };

struct Type;

/// One member of a described struct.
struct Member {
  std::string_view name;
  std::string_view help;
  core::Presence presence;
  Type const* type;
  std::ptrdiff_t offset;

  void* at(void* object) const { return static_cast<std::byte*>(object) + offset; }
};

/// The description of a type for codecs. There is one constant instance for each C++ type. `void*` arguments
/// point to an object of that type.
struct Type {
  Kind kind;
  std::string_view name;
  std::span<Member const> (*members)() =
      nullptr;                    ///< object; built on first use, so that structs may nest themselves
  Type const* element = nullptr;  ///< list, optional, map (values)

  // integer and number
  std::int64_t (*get_integer)(void const*) = nullptr;
  bool (*set_integer)(void*, std::int64_t) = nullptr;  ///< false when out of range

  // text: also enums, times, dates and references
  std::string (*get_text)(void const*) = nullptr;
  bool (*set_text)(void*, std::string_view) = nullptr;  ///< false when it is not of the type's form
  std::string_view form{};                              ///< what a text must look like, for messages
  std::span<std::string_view const> choices{};          ///< values of an enum
  bool accepts_integer = false;                         ///< a JSON number is taken as its text

  // list, map and optional
  std::size_t (*size)(void const*) = nullptr;  ///< of a list, a map or a text
  void* (*element_at)(void*, std::size_t) = nullptr;
  void (*clear)(void*) = nullptr;
  void* (*append)(void*) = nullptr;
  void* (*insert)(void*, std::string_view key) = nullptr;
  void (*each)(void const*, void* context,
               void (*)(void* context, std::string_view key, void const* value)) = nullptr;
  void const* (*value)(void const*) = nullptr;  ///< of an optional; null when empty
  void* (*emplace)(void*) = nullptr;
};

/// The member of an object with that name; null when it has none.
inline Member const* find_member(Type const& type, std::string_view name) {
  if (type.kind != Kind::object) return nullptr;
  for (auto const& member : type.members())
    if (member.name == name) return &member;
  return nullptr;
}

/// The table of a described struct. One source file defines it by an explicit instantiation and includes
/// `reflect/described.hpp` for that; all others refer to it. A struct without one does not link.
template <class T>
struct Described {
  static Type const type;
};

template <class T>
constexpr Type const& type_of();

namespace detail {

template <class T>
struct is_optional : std::false_type {};
template <class T>
struct is_optional<std::optional<T>> : std::true_type {};
template <class T>
struct is_vector : std::false_type {};
template <class T>
struct is_vector<std::vector<T>> : std::true_type {};
template <class T>
struct is_map : std::false_type {};
template <class T>
struct is_map<std::map<std::string, T>> : std::true_type {};

template <class T>
concept IsDescribed = std::is_class_v<T> && !core::kIsId<T> && !std::is_same_v<T, boost::json::value> &&
                      !is_optional<T>::value && !is_vector<T>::value && !is_map<T>::value && !HasText<T>;

/// The name of a struct without its namespaces, for schemas.
template <class T>
constexpr std::string_view struct_name() {
  std::string_view text = __PRETTY_FUNCTION__;
  auto const at = text.find("T = ") + 4;
  text = text.substr(at, text.find_first_of(";]", at) - at);
  auto const colon = text.rfind(':');
  return colon == std::string_view::npos ? text : text.substr(colon + 1);
}

template <class T>
constexpr Type make_type();

template <class T>
constexpr std::string_view name_of() {
  if constexpr (IsDescribed<T>)
    return struct_name<T>();
  else
    return make_type<T>().name;
}

/// The table of a type that is no described struct.
template <class T>
constexpr Type make_type() {
  Type t{};
  if constexpr (std::is_same_v<T, bool>) {
    t.kind = Kind::boolean;
    t.name = "boolean";
  } else if constexpr (std::is_integral_v<T> || core::kIsId<T>) {
    t.kind = Kind::integer;
    t.name = "integer";
    t.get_integer = [](void const* p) { return static_cast<std::int64_t>(*static_cast<T const*>(p)); };
    t.set_integer = [](void* p, std::int64_t v) {
      *static_cast<T*>(p) = static_cast<T>(v);
      return static_cast<std::int64_t>(static_cast<T>(v)) == v;
    };
  } else if constexpr (std::is_same_v<T, double>) {
    t.kind = Kind::number;
    t.name = "number";
  } else if constexpr (std::is_same_v<T, boost::json::value>) {
    t.kind = Kind::json;
    t.name = "any";
  } else if constexpr (is_optional<T>::value) {
    t.kind = Kind::optional;
    t.element = &type_of<typename T::value_type>();
    t.name = name_of<typename T::value_type>();
    t.value = [](void const* p) -> void const* {
      auto const& o = *static_cast<T const*>(p);
      return o ? &*o : nullptr;
    };
    t.clear = [](void* p) { static_cast<T*>(p)->reset(); };
    t.emplace = [](void* p) -> void* { return &static_cast<T*>(p)->emplace(); };
  } else if constexpr (is_vector<T>::value) {
    t.kind = Kind::list;
    t.name = "list";
    t.element = &type_of<typename T::value_type>();
    t.size = [](void const* p) { return static_cast<T const*>(p)->size(); };
    t.element_at = [](void* p, std::size_t i) -> void* { return &(*static_cast<T*>(p))[i]; };
    t.clear = [](void* p) { static_cast<T*>(p)->clear(); };
    t.append = [](void* p) -> void* { return &static_cast<T*>(p)->emplace_back(); };
  } else if constexpr (is_map<T>::value) {
    t.kind = Kind::map;
    t.name = "map";
    t.element = &type_of<typename T::mapped_type>();
    t.size = [](void const* p) { return static_cast<T const*>(p)->size(); };
    t.clear = [](void* p) { static_cast<T*>(p)->clear(); };
    t.insert = [](void* p, std::string_view key) -> void* {
      return &(*static_cast<T*>(p))[std::string{key}];
    };
    t.each = [](void const* p, void* context, void (*visit)(void*, std::string_view, void const*)) {
      for (auto const& [key, value] : *static_cast<T const*>(p)) visit(context, key, &value);
    };
  } else if constexpr (HasText<T>) {
    t.kind = Kind::text;
    t.name = TextForm<T>::kName;
    t.form = TextForm<T>::kForm;
    t.accepts_integer = TextForm<T>::kAcceptsInteger;
    t.get_text = [](void const* p) { return std::string{TextForm<T>::write(*static_cast<T const*>(p))}; };
    t.set_text = [](void* p, std::string_view text) { return TextForm<T>::read(text, *static_cast<T*>(p)); };
    if constexpr (std::is_enum_v<T>) t.choices = TextForm<T>::choices();
    if constexpr (std::is_same_v<T, std::string>)
      t.size = [](void const* p) { return static_cast<std::string const*>(p)->size(); };
  } else {
    static_assert(HasText<T>,
                  "a type on the wire is a described struct or has a text form; core/field.hpp says how");
  }
  return t;
}

}  // namespace detail

template <class T>
inline constexpr Type kType = detail::make_type<T>();

/// The table of a type.
template <class T>
constexpr Type const& type_of() {
  if constexpr (detail::IsDescribed<T>)
    return Described<T>::type;
  else
    return kType<T>;
}

}  // namespace andon::reflect
