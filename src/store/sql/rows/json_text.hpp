#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "reflect/json.hpp"
#include "store/contract/store_error.hpp"

namespace andon::store::sql {

/// Reads a JSON text of the database into `start`. A text that does not fit the type is thrown as
/// StoreError{damaged}.
template <class T>
T read_kept(std::string_view text, T start = {}) {
  constexpr reflect::JsonLimits kLimits{256, 10'000'000};  // higher than the limits of requests, which were
                                                           // checked on input
  auto value = reflect::parse_json(text, kLimits);
  if (value) {
    auto const read = reflect::from_json(reflect::type_of<T>(), &start, *value, reflect::Unknown::ignore);
    if (read) return start;
    value = std::unexpected(read.error());
  }
  throw StoreError{StoreError::Kind::damaged, "a kept " + std::string{reflect::type_of<T>().name} +
                                                  " cannot be read (" + value.error().message +
                                                  "); stop the server and run `andon doctor`"};
}

/// The numbers as a JSON list.
template <class Numbers>
std::string number_list(Numbers const& numbers) {
  std::string out;
  for (auto const number : numbers) out += (out.empty() ? "[" : ",") + std::to_string(std::int64_t{number});
  return (out.empty() ? "[" : out) + "]";
}

}  // namespace andon::store::sql
