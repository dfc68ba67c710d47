#pragma once

#include <exception>

#include "core/error.hpp"

namespace andon::api {

/// The one place where trouble of the world becomes an answer.
core::Error error_of_trouble(std::exception_ptr const& trouble);

}  // namespace andon::api
