#pragma once

#include <optional>

#include "os/processes/clock.hpp"
#include "store/markdown/files/board_folder.hpp"
#include "store/markdown/yaml/settings_file.hpp"

namespace andon::store::markdown {

/// The settings as they are on disk, in the present version.
struct ReadSettings {
  SettingsFile file;
  Content content;
  bool migrated = false;
};

/// Nothing where there are none. Throws StoreError{unusable} when they cannot be read.
std::optional<ReadSettings> read_settings(BoardFolder const& folder);

/// Reads the settings again for a moment when they cannot be read, or, where they are expected, when there
/// are none: git takes a file away before it writes it. Waits as long as StableRead does.
std::optional<ReadSettings> read_still_settings(BoardFolder const& folder, os::Clock const& clock,
                                                bool are_expected);

}  // namespace andon::store::markdown
