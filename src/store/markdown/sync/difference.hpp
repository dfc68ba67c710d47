#pragma once

#include <set>
#include <string>
#include <sys/types.h>
#include <vector>

#include "store/markdown/files/board_folder.hpp"
#include "store/markdown/index/file_index.hpp"

namespace andon::store::markdown {

/// The bit of a file's mode that is off while a task has a live claim.
inline constexpr mode_t kOwnerWrites = 0200;

/// The differences between the files and the index.
struct Difference {
  bool settings = false;
  std::vector<std::string> to_read;  ///< names of new or changed files
  std::vector<FileRow> gone;
  std::vector<FileRow> wrong_mode;  ///< a file must be read-only during a live claim and writable otherwise
  // The members from here to `all_seen` only make the next comparison cheaper
  std::vector<FileRow> seen_again;  ///< doubtful files that are unchanged
  bool names_seen = false;          ///< the directory was listed; `beside` has its state
  bool all_seen = false;            ///< all of many archived files were compared

  IndexState beside;  ///< the state of the index, with the present state of the directory
  bool is_none() const { return !settings && to_read.empty() && gone.empty() && wrong_mode.empty(); }
  /// Whether there is anything to store in the index.
  bool is_news() const { return names_seen || all_seen || !seen_again.empty() || !is_none(); }
};

/// Whether names in the directory of tasks were added, removed or given to other files.
bool names_differ(IndexState const& beside, BoardFolder const& folder);
/// Whether a file differs from its row. A doubtful file is read to find out.
bool differs(FileRow const& row, BoardFolder const& folder, core::Instant now);
/// The name of a file that differs from the index; nothing when there is none. The name is empty when there
/// are so many archived files that a writer has to compare them and to record the time.
std::optional<std::string> changed_file(FileIndex& index, BoardFolder const& folder, core::Instant now);
/// Whether archived files have to be compared again. The more there are, the longer the pause, so that
/// comparing takes a small part of the time.
bool is_settled_due(IndexState const& beside, core::Instant now);

/// Compares the files with the index: the directory, the settings and the files that are not settled.
/// Compares all files when the names in the directory changed, and archived files also when they are due.
/// Files in `suspects` are always to be read. `folder` must have its directory of tasks open. Changes
/// nothing.
Difference difference(FileIndex& index, BoardFolder const& folder, core::Instant now,
                      std::set<std::string> const& suspects = {});

/// Whether the settings changed since they were read.
bool settings_differ(IndexState const& beside, BoardFolder const& folder);

}  // namespace andon::store::markdown
