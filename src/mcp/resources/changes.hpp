#pragma once

#include "mcp/resources/resources.hpp"

namespace andon::mcp {

/// Reads the changes for a caller after a place in the history of the board. A place is the number of an
/// event; with an empty one, only the place of the last event is told.
void changes_since(StartCall const& start, service::Caller const& caller, std::string const& place,
                   TellChanges tell);

}  // namespace andon::mcp
