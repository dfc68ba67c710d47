#pragma once

#include "service/boards/board_policies.hpp"

namespace andon::service {

/// Checks the policies that name a repository and parts of it.
core::Result<void> check_repository(BoardPolicies const& r);

/// Takes the repository as it was found: the path of a folder becomes a repository with a folder. Refuses one
/// that no board can have.
core::Result<void> take_examined(BoardPolicies const& r, core::Board& board);
/// The notes on the repository that a person should read.
std::vector<std::string> notes_on_repository(BoardPolicies const& r);

/// Checks the policies about work trees: their set-up, and what may land from them.
core::Result<void> check_work_policies(BoardPolicies const& r);
/// Sets those that are given.
/// True when the change may mend a fault of the board: its repository, set-up, checks or variables.
bool changes_work_place(BoardPolicies const& r);
void set_work_policies(BoardPolicies const& r, core::Board& board);
/// Checks the board as a whole: a preview needs a port, and the branches of tasks a place beside the board's.
core::Result<void> check_work_of(core::Board const& board);

/// Commands are given to the system as they stand: a program and its arguments.
core::Result<void> check_command(core::Command const& argv, std::string const& field);

}  // namespace andon::service
