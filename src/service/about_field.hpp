#pragma once

#include <string>
#include <utility>

#include "core/error.hpp"

namespace andon::service {

/// The answer, or its refusal told of the field that was given.
template <class Found>
core::Result<Found> about_field(std::string field, core::Result<Found> found) {
  if (found) return found;
  auto error = std::move(found).error();
  error.field = std::move(field);
  return core::refuse(std::move(error));
}

}  // namespace andon::service
