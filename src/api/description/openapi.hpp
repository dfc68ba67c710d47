#pragma once

#include <string>

namespace andon::api {

/// The OpenAPI 3.1 description of the HTTP interface, made from the operation table. Made once.
std::string const& openapi_json();

}  // namespace andon::api
