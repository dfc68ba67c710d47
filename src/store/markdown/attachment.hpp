#pragma once

#include <filesystem>

#include "core/model/board.hpp"

namespace andon::store::markdown {

/// Completes a board that is to be attached from its directory: the real path, and the name and prefix when
/// they were not given. A directory with a board in its `kanban` folder stands for that folder. Throws
/// StoreError{refused} when there is no board, or when it lies in `data`, the directory of the store.
core::Board attachment(core::Board given, std::filesystem::path const& data);

/// Throws StoreError{unreachable} with the reason when the path no longer leads to a board.
void check_still_there(std::filesystem::path const& directory);

}  // namespace andon::store::markdown
