#pragma once

#include <optional>

#include "os/processes/clock.hpp"
#include "store/markdown/files/board_folder.hpp"
#include "store/markdown/yaml/settings_file.hpp"

namespace andon::store::markdown {

/// The settings on disk, migrated to the present version.
struct ReadSettings {
  SettingsFile file;
  Content content;
  bool migrated = false;
};

/// Reads the settings; nothing when the file does not exist. Throws StoreError{unusable} when they cannot be
/// read.
std::optional<ReadSettings> read_settings(BoardFolder const& folder);

/// Reads the settings, and tries again for a short time when they cannot be read or, where they are expected,
/// do not exist: git removes a file before it writes it. Waits as long as StableRead does.
std::optional<ReadSettings> read_still_settings(BoardFolder const& folder, os::Clock const& clock,
                                                bool are_expected);

}  // namespace andon::store::markdown
