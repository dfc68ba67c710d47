#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace andon::core {

/// The presence of a described struct's field on every wire (JSON, flags, query strings, schemas).
enum class Presence {
  optional,  ///< may be left out; left out when empty
  required,  ///< a request without it is refused
  always,    ///< written even when empty
  or_null,   ///< an optional value that is written as null when there is none
  set_only,  ///< a bool or number written only when true or not zero
};

/// The note that stands beside a described struct for each of its members, in their order.
struct Field {
  std::string_view name;
  std::string_view help;
  Presence presence = Presence::optional;
};

inline constexpr auto required = Presence::required;
inline constexpr auto always = Presence::always;
inline constexpr auto or_null = Presence::or_null;
inline constexpr auto set_only = Presence::set_only;

/// The notes of a struct that extends another.
template <std::size_t N, std::size_t M>
constexpr std::array<Field, N + M> joined(std::array<Field, N> const& first,
                                          std::array<Field, M> const& second) {
  std::array<Field, N + M> out{};
  for (std::size_t i = 0; i < N; ++i) out[i] = first[i];
  for (std::size_t i = 0; i < M; ++i) out[N + i] = second[i];
  return out;
}

}  // namespace andon::core
