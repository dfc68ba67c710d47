#pragma once

#include <string>

#include "service/tasks/change.hpp"

namespace andon::service {

/// Puts work that did not hold back to where it can be taken up again, with the reason for the next prompt.
/// With its attempts used up it waits, blocked, for a person. The attempt stays counted. The actor is
/// `system`.
void send_back(OperationContext& ctx, core::Task const& task, core::Board const& board, core::EventKind kind,
               std::string const& reason);

}  // namespace andon::service
