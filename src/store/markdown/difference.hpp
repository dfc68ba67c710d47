#pragma once

#include <string>
#include <vector>

#include "store/markdown/board_folder.hpp"
#include "store/markdown/file_index.hpp"

namespace andon::store::markdown {

/// What the index does not know yet about the files.
struct Difference {
  bool settings = false;
  std::vector<std::string> to_read;  ///< names of files that are new or were changed, in order
  std::vector<FileRow> gone;
  std::vector<FileRow> wrong_mode;  ///< a live claim makes a file read-only, its end writable
  // Only what costs the next look more than it must
  std::vector<FileRow> seen_again;  ///< doubtful files that are the same
  bool names_seen = false;          ///< the directory was listed; `beside` has its state

  BesideFiles beside;  ///< as it is, with the directory's state brought up to date
  bool is_none() const { return !settings && to_read.empty() && gone.empty() && wrong_mode.empty(); }
  /// Whether the index has something to keep.
  bool is_news() const { return names_seen || !seen_again.empty() || !is_none(); }
};

/// Whether names in the directory of tasks came, went or were given to other files.
bool names_differ(BesideFiles const& beside, BoardFolder const& folder);
/// Whether a file is no longer what the row tells; a doubtful one is read.
bool differs(FileRow const& row, BoardFolder const& folder, core::Instant now);
/// Whether one of the files that are not settled is no longer what the index tells.
bool watched_differ(FileIndex& index, BoardFolder const& folder, core::Instant now);

/// Compares the files with the index. Looks at the directory, the settings and the files that are not
/// settled; at all files when the names in the directory changed. `folder` has its tasks open. Changes
/// nothing.
Difference difference(FileIndex& index, BoardFolder const& folder, core::Instant now);

/// Whether the settings were changed since they were read.
bool settings_differ(BesideFiles const& beside, BoardFolder const& folder);

std::int64_t in_nanoseconds(core::Instant at);

}  // namespace andon::store::markdown
