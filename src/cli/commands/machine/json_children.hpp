#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/value.hpp>

namespace andon::cli {

/// A member of an object or an element of an array, as places in the text.
struct JsonChild {
  std::string key;  ///< empty for an element
  std::size_t begin = 0;
  std::size_t value = 0;  ///< where the value begins; `begin` for an element
  std::size_t end = 0;
};

// These functions change one place of a JSON text and keep every other byte. The text is valid, and a
// container is named by the place of its opening bracket.

/// The place of the first value of the text.
std::size_t json_root(std::string_view text);
std::vector<JsonChild> json_children(std::string_view text, std::size_t container);
/// Appends a member, or an element where `key` is empty, indented as its neighbours are.
void append_json_child(std::string& text, std::size_t container, std::string_view key,
                       boost::json::value const& value);
/// Removes the child with the comma that belongs to it.
void erase_json_child(std::string& text, std::size_t container, std::size_t index);

}  // namespace andon::cli
