#pragma once

#include <string>
#include <vector>

#include "service/operation_context.hpp"

namespace andon::service {

/// What the next attempt should know of what was before: how earlier attempts ended (a failed check
/// is the reason of its run) with their last words, verdicts, and notes. Oldest first.
std::vector<std::string> feedback_on(OperationContext& ctx, core::Task const& task);

}  // namespace andon::service
