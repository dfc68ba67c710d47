#pragma once

#include "store/markdown/yaml/settings_file.hpp"

namespace andon::store::markdown {

/// Brings settings of an older version of kanban-md up to the present one, a version at a time; true when
/// something was changed. Refuses versions that are none or come later.
core::Result<bool> migrate(SettingsFile& file);

}  // namespace andon::store::markdown
