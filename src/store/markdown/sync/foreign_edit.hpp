#pragma once

#include <optional>
#include <vector>

#include "core/model/board.hpp"
#include "core/model/event.hpp"
#include "core/model/task.hpp"

namespace andon::store::markdown {

/// What the history of a server tells of a task whose file others changed; nothing where both are the same.
/// Nobody knows who wrote to a file, so the actor is the system and `source` says "file".
std::vector<core::Event> foreign_edit(std::optional<core::Task> const& before, core::Task const& after,
                                      core::Instant now);
core::Event foreign_removal(core::Task const& before, core::Instant now);
core::Event foreign_board_edit(core::Board const& board, std::string_view what, core::Instant now);

/// Whether an approval still covers a task: it says what it said to whoever approved it. Bodies count too,
/// but for their last line end.
bool is_still_approved(core::Board const& board, core::Task const& known, std::string_view known_body,
                       core::Task const& now);

}  // namespace andon::store::markdown
