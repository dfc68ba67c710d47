#pragma once

#include "store/markdown/yaml/front_matter.hpp"

namespace andon::store::markdown {

/// Where the parts of a task's file are.
struct Frame {
  std::size_t first = 0;  ///< the line after the first `---`
  std::size_t close = 0;  ///< the line of the second `---`
  std::size_t after = 0;  ///< behind it
  bool carriage_returns = false;
};

/// Refuses what is no task's file: another beginning, no end of the front matter, bytes that are not UTF-8,
/// NUL, marks of an unfinished merge.
core::Result<Frame> frame_of(std::string_view text, std::string_view name);

/// Refuses a file with git's marks of an unfinished merge.
core::Result<void> check_conflict(std::string_view text, std::string_view name);

/// The keys of the front matter. Lines that say one thing (`key: word`, `- word`) are read here; for anything
/// else the whole is given to the YAML parser, which also refuses what these files may not hold.
core::Result<std::vector<Entry>> entries_of(std::string_view text, Frame const& frame, std::string_view name);

/// `MALFORMED` at a place of a file.
std::unexpected<core::Error> malformed(std::string_view name, reflect::YamlPlace place,
                                       std::string_view what);

}  // namespace andon::store::markdown
