#pragma once

#include <optional>
#include <vector>

#include "core/model/board.hpp"
#include "core/model/event.hpp"
#include "core/model/task.hpp"

namespace andon::store::markdown {

/// The events for a task whose file another program changed; none when both states are equal. `before` is
/// empty for a new task. Files do not show their author, so the actor is the system and `source` is "file".
std::vector<core::Event> foreign_edit(std::optional<core::Task> const& before, core::Task const& after,
                                      core::Instant now);
core::Event foreign_removal(core::Task const& before, core::Instant now);
core::Event foreign_board_edit(core::Board const& board, std::string_view what, core::Instant now);

/// Whether an approval still covers a task: the parts that matter to an agent are those that the person
/// approved. Bodies are compared without the line ends at their end.
bool is_still_approved(core::Board const& board, core::Task const& known, std::string_view known_body,
                       core::Task const& now);

}  // namespace andon::store::markdown
