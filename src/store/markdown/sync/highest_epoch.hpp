#pragma once

#include "core/model/task.hpp"
#include "store/markdown/files/board_folder.hpp"

namespace andon::store::markdown {

/// The highest epoch that a claim of this board ever had. It is kept in a file beside the index, so that it
/// survives the loss of the index.
core::Epoch highest_epoch(BoardFolder const& folder);
/// Records the epoch when it is higher than all before it.
void raise_highest_epoch(BoardFolder const& folder, core::Epoch epoch);

}  // namespace andon::store::markdown
