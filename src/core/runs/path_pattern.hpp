#pragma once

#include <string_view>

namespace andon::core {

/// The part of a path that a pattern is compared with.
enum class PathPart {
  name,    ///< its last segment
  folder,  ///< any segment but the last
  top,     ///< its beginning
  end,     ///< its last segments
};

/// True when that part of the path is like the pattern. The pattern is in small letters; `*` stands for any
/// bytes within a segment. The case of ASCII letters does not matter.
bool is_like(std::string_view path, PathPart part, std::string_view pattern);

/// The last segment of a path, and everything before it with its slash.
std::string_view name_of_path(std::string_view path);
std::string_view folder_of_path(std::string_view path);

}  // namespace andon::core
