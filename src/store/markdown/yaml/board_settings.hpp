#pragma once

#include <string>

#include "core/model/board.hpp"
#include "store/markdown/files/task_name.hpp"
#include "store/markdown/yaml/settings_file.hpp"

namespace andon::store::markdown {

inline constexpr int kSettingsVersion = 11;

/// Refuses settings that kanban-md refuses; the error text begins with `invalid config`.
core::Result<void> check_settings(SettingsFile const& file);

/// The board of checked settings. Members that may not come from a file in a repository (commands, work
/// trees) keep their defaults.
core::Board board_in(SettingsFile const& file);

/// The number that a board's settings give to its next task.
FileNumber next_id_in(SettingsFile const& file);

/// Changes the settings where `is` differs from `was`, and nowhere else.
void write_board(SettingsFile& file, core::Board const& was, core::Board const& is);

/// The settings of a new board.
SettingsFile new_settings(core::Board const& board);

}  // namespace andon::store::markdown
