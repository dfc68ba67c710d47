#pragma once

#include <string>

#include "core/model/board.hpp"
#include "store/markdown/yaml/settings_file.hpp"

namespace andon::store::markdown {

inline constexpr int kSettingsVersion = 11;

/// Refuses settings that kanban-md refuses; the text begins with `invalid config`.
core::Result<void> check_settings(SettingsFile const& file);

/// The board as its checked settings tell it. What may not come from a file that travels with a repository
/// (commands, work trees) stays at its default.
core::Board board_in(SettingsFile const& file);

/// Changes in the settings what is different in the board, and nothing else.
void write_board(SettingsFile& file, core::Board const& was, core::Board const& is);

/// The settings of a new board.
SettingsFile new_settings(core::Board const& board);

}  // namespace andon::store::markdown
