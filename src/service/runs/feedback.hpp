#pragma once

#include <string>
#include <vector>

#include "service/operation_context.hpp"

namespace andon::core {
struct Task;
}

namespace andon::service {

/// Facts about earlier attempts for the prompt of the next one, oldest first: how runs ended, with their last
/// words (a failed check is the reason of its run), verdicts, and notes.
std::vector<std::string> feedback_on(OperationContext& ctx, core::Task const& task);

}  // namespace andon::service
