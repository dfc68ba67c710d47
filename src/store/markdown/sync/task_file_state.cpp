#include "store/markdown/sync/task_file_state.hpp"

#include <algorithm>

#include "core/tasks/claim.hpp"

namespace andon::store::markdown {
namespace {

using core::Task;

constexpr std::int64_t kRevBits = 12;

}  // namespace

bool must_show_again(core::Board const& board, Task const& task, core::Instant now) {
  return board.claim_timeout > core::Duration::zero() && task.claimed_at &&
         now - *task.claimed_at > board.claim_timeout / 2;
}

mode_t mode_of(Task const& task, core::Instant now) { return core::is_claimed(task, now) ? 0444 : 0600; }

std::optional<core::Instant> claim_end_of(Task const& task) {
  if (task.claimed_by.empty()) return std::nullopt;
  if (task.state.supervised) return core::Instant::max();  // its renewals are not written to the file
  return task.claim_expires.value_or(core::Instant::max());
}

core::Revision rev_of(Task const& task, std::int64_t hash) {
  auto const content = static_cast<std::uint64_t>(hash);
  auto const mixed = (content ^ (content >> 32U)) & ((1U << kRevBits) - 1);
  auto const at =
      std::max<std::int64_t>(task.updated.time_since_epoch().count(), 0) % (std::int64_t{1} << 41);
  return core::Revision{(at << kRevBits | static_cast<std::int64_t>(mixed)) + 1};
}

}  // namespace andon::store::markdown
