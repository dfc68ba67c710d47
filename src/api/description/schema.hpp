#pragma once

#include <string_view>
#include <vector>

#include <boost/json/object.hpp>
#include <boost/json/string.hpp>

#include "reflect/type.hpp"

namespace andon::api {

/// A JSON string of these words.
boost::json::string json_text(std::string_view words);

/// The direction that a schema is for. Only requests have required members that a sender must know.
enum class SchemaFor { request, response };

/// The JSON Schema of a type. Members named in `but` are left out. Structs that contain themselves end after
/// a level.
boost::json::object schema_of(reflect::Type const& type, SchemaFor use,
                              std::vector<std::string_view> const& but = {});

}  // namespace andon::api
