#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace andon::core {

/// Gives the value of a placeholder, or nothing when it has none of that name.
using ValueOf = std::function<std::optional<std::string>(std::string_view name)>;

/// Replaces every `{{name}}` that has a value; other braces stay as they are. What was filled in is not
/// looked at again. The result is cut at `most` bytes, between characters.
std::string render_template(std::string_view text, ValueOf const& value_of, std::size_t most);

}  // namespace andon::core
