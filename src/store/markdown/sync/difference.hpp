#pragma once

#include <set>
#include <string>
#include <vector>

#include "store/markdown/files/board_folder.hpp"
#include "store/markdown/index/file_index.hpp"

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
  bool all_seen = false;            ///< every file was looked at, archived ones too

  IndexState beside;  ///< as it is, with the directory's state brought up to date
  bool is_none() const { return !settings && to_read.empty() && gone.empty() && wrong_mode.empty(); }
  /// Whether the index has something to keep.
  bool is_news() const { return names_seen || all_seen || !seen_again.empty() || !is_none(); }
};

/// Whether names in the directory of tasks came, went or were given to other files.
bool names_differ(IndexState const& beside, BoardFolder const& folder);
/// Whether a file is no longer what the row tells; a doubtful one is read.
bool differs(FileRow const& row, BoardFolder const& folder, core::Instant now);
/// A file that is no longer what the index tells; nothing when there is none. An empty name where there are
/// so many archived files that a writer has to look at them and to remember when.
std::optional<std::string> changed_file(FileIndex& index, BoardFolder const& folder, core::Instant now);
/// Whether it is time to look at archived files again. The more there are the less often that is, so that it
/// takes a small part of the time.
bool is_settled_due(IndexState const& beside, core::Instant now);

/// Compares the files with the index. Looks at the directory, the settings and the files that are not
/// settled; at all files when the names in the directory changed, or when it is time to. The files `suspects`
/// are to be read whatever their stamps say. `folder` has its tasks open. Changes nothing.
Difference difference(FileIndex& index, BoardFolder const& folder, core::Instant now,
                      std::set<std::string> const& suspects = {});

/// Whether the settings were changed since they were read.
bool settings_differ(IndexState const& beside, BoardFolder const& folder);

}  // namespace andon::store::markdown
