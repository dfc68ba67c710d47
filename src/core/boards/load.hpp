#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace andon::core {

/// The load of a board: tasks per column, unfinished tasks per class.
struct Load {
  std::map<std::string, std::int64_t, std::less<>> columns;
  std::map<std::string, std::int64_t, std::less<>> classes;
};

}  // namespace andon::core
