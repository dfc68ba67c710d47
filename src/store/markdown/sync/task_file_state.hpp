#pragma once

#include <cstdint>
#include <optional>
#include <sys/types.h>

#include "core/model/board.hpp"
#include "core/model/task.hpp"

namespace andon::store::markdown {

/// True when the file of an agent's task must be written with a newer claim, so that programs which only read
/// the file see that the task is held.
bool must_show_again(core::Board const& board, core::Task const& task, core::Instant now);
/// The mode of a task's file: read-only while the task is claimed.
mode_t mode_of(core::Task const& task, core::Instant now);
/// The time until which a claim keeps the file read-only.
std::optional<core::Instant> claim_end_of(core::Task const& task);
/// An opaque revision that depends on the hash of the file's content and rises with `updated`.
core::Revision rev_of(core::Task const& task, std::int64_t hash);

}  // namespace andon::store::markdown
