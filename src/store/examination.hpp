#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/time.hpp"

namespace andon::store {

/// One thing that was found when a store was looked through.
struct Finding {
  enum class Kind {
    fact,
    repair,  ///< the next command puts it right by itself
    fault,   ///< somebody has to see to it
  };
  Kind kind = Kind::fact;
  std::string about;
  std::string text;
};

/// Looks through a directory of Markdown files: settings, every task file, unfinished writes, the index, the
/// lock. Changes nothing and waits for nobody.
std::vector<Finding> examine_board(std::filesystem::path const& root, core::Instant now);

/// Looks through a SQLite database: whether it is whole, its schema, who owns it. Reads all of it and changes
/// nothing, also while a server has it open.
std::vector<Finding> examine_database(std::filesystem::path const& file);

}  // namespace andon::store
