#pragma once

#include <string_view>

// A struct that goes over a wire (JSON, flags, query strings, schemas) lists its members once, in the order
// of the wire, beside its definition:
//
//     void describe(auto& field, Progress const*) {
//       field(&Progress::done, "done", "Finished", always);
//       field(&Progress::total, "total", "All", always);
//     }
//
// A struct that extends another describes that one first. `reflect` walks the list; nothing else knows it.
// The `described.cpp` of the struct's room has a line for it, which makes its table.

namespace andon::core {

/// The presence of a described struct's field on every wire (JSON, flags, query strings, schemas).
enum class Presence {
  optional,  ///< may be left out; left out when empty
  required,  ///< a request without it is refused
  always,    ///< written even when empty
  or_null,   ///< an optional value that is written as null when there is none
  set_only,  ///< a bool, a number or a word of a list, written only when it is not its first value
};

/// A described member that several structs have.
struct Field {
  std::string_view name;
  std::string_view help;
  Presence presence = Presence::optional;
};

inline constexpr auto required = Presence::required;
inline constexpr auto always = Presence::always;
inline constexpr auto or_null = Presence::or_null;
inline constexpr auto set_only = Presence::set_only;

}  // namespace andon::core
