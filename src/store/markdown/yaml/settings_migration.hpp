#pragma once

#include "store/markdown/yaml/settings_file.hpp"

namespace andon::store::markdown {

/// Brings settings of an older version of kanban-md to the present version, one version at a time. True when
/// something was changed. Refuses unknown and newer versions.
core::Result<bool> migrate(SettingsFile& file);

}  // namespace andon::store::markdown
