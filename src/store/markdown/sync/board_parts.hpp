#pragma once

#include "core/model/board.hpp"

namespace andon::store::markdown {

/// Gives a board the settings that were read and keeps the members that only the index has.
void keep_index_part(core::Board& board, core::Board const& read);
/// Gives an attached board the settings that were read, except its policies, which belong to the server.
void take_file_part(core::Board& board, core::Board const& read);

}  // namespace andon::store::markdown
