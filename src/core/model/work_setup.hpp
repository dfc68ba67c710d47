#pragma once

#include <string>
#include <vector>

#include "core/field.hpp"

namespace andon::core {

/// A program and its arguments; no shell is involved.
using Command = std::vector<std::string>;

/// The results of a set-up are kept and copied into the next work tree whose `key` files have the same
/// content.
struct SetupCache {
  std::vector<std::string> key;   ///< files whose content decides, such as lock files
  std::vector<std::string> keep;  ///< directories that the set-up makes, such as `node_modules`
  bool operator==(SetupCache const&) const = default;
};
void describe(auto& field, SetupCache const*) {
  field(&SetupCache::key, "key", "Files whose content decides, such as package-lock.json", required);
  field(&SetupCache::keep, "keep", "Directories that the set-up makes, such as node_modules", required);
}

}  // namespace andon::core
