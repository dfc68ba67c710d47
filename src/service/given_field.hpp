#pragma once

#include <expected>
#include <optional>
#include <string>
#include <utility>

#include "core/error.hpp"

namespace andon::service {

/// The refusal of a request's field.
inline std::unexpected<core::Error> invalid(std::string message, std::string field) {
  return core::refuse(core::Code::kInvalidInput, std::move(message), std::move(field));
}

/// Sets a field that a request gives; keeps one that it leaves out.
template <class T>
void take(std::optional<T> const& given, T& field) {
  if (given) field = *given;
}

}  // namespace andon::service
