#pragma once

#include "store/markdown/yaml/front_matter.hpp"

namespace andon::store::markdown {

/// The places of the parts of a task's file.
struct Frame {
  std::size_t first = 0;  ///< the line after the first `---`
  std::size_t close = 0;  ///< the line of the second `---`
  std::size_t after = 0;  ///< behind the line of the second `---`
  bool carriage_returns = false;
};

/// Finds the parts of a task's file. Refuses a file with another beginning, without an end of the front
/// matter, with bytes that are not UTF-8, with NUL bytes, or with conflict markers of git.
core::Result<Frame> frame_of(std::string_view text, std::string_view name);

/// Refuses a file with conflict markers of git.
core::Result<void> check_conflict(std::string_view text, std::string_view name);

/// The keys of the front matter. Simple lines (`key: word`, `- word`) are read here. When the front matter
/// has any other line, the YAML parser reads all of it and refuses forms that are not allowed in these files.
core::Result<std::vector<Entry>> entries_of(std::string_view text, Frame const& frame, std::string_view name);

/// An error `MALFORMED` at a place of a file.
std::unexpected<core::Error> malformed(std::string_view name, reflect::YamlPlace place,
                                       std::string_view what);

}  // namespace andon::store::markdown
