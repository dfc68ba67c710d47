#pragma once

#include <filesystem>

#include "core/model/board.hpp"

namespace andon::store::markdown {

/// A board that is to be attached, as its directory tells it: the real path, and what was not given of name
/// and prefix. A directory that has its board in `kanban` stands for that. Throws StoreError{refused} where
/// there is none, or where it lies in `data`, the directory of the store.
core::Board attachment(core::Board given, std::filesystem::path const& data);

/// Says why a path leads no longer to a board, by throwing StoreError{unreachable}.
void check_still_there(std::filesystem::path const& directory);

}  // namespace andon::store::markdown
