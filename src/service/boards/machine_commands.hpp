#pragma once

#include "service/boards/board_policies.hpp"

namespace andon::service {

// Commands run on the machine with the rights of its user. Whoever is on the machine defines them: through
// its own store or socket file, by name from `commands.yml`, or by confirming a change that came over the
// network.

/// Refuses `UNCONFIRMED_COMMAND` when the request brings a command or a variable that the board does not have
/// and the caller is not on the machine. The detail `commands` has one line for each of them.
core::Result<void> check_commands_are_of_machine(OperationContext const& ctx, BoardPolicies const& request,
                                                 core::Board const& before);

/// The request with the commands that it names. Refuses a name that the machine does not define.
core::Result<BoardPolicies> with_named_commands(BoardPolicies request);

}  // namespace andon::service
