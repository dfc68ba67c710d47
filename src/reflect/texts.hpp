#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "core/error.hpp"
#include "reflect/type.hpp"

namespace andon::reflect {

using ReplaceText = std::function<std::string(std::string_view)>;

/// Replaces every text in an object of that type, at any depth. Refuses the object where a new text is none
/// of its type, and where the key of a map would change.
core::Result<void> replace_texts(Type const& type, void* object, ReplaceText const& replace);

/// The value with every text replaced, also the names of members.
boost::json::value with_texts_replaced(boost::json::value value, ReplaceText const& replace);

}  // namespace andon::reflect
