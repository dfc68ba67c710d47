#pragma once

#include <string>

#include <boost/json/value.hpp>

namespace andon::cli {

/// The value as people and scripts get it: two blanks a level, keys as received, a final line end. `<`, `>`,
/// `&`, line separators and whatever a terminal would act on are written as `\u` escapes.
std::string json_text(boost::json::value const& value);

}  // namespace andon::cli
