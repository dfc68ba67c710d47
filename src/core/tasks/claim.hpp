#pragma once

#include <string>
#include <string_view>

#include "core/error.hpp"
#include "core/id.hpp"
#include "core/time/time.hpp"

namespace andon::core {

struct Task;

/// Whether somebody holds the task now. A claim whose time is over counts as none, without any sweep; but one
/// under which a runner's process works holds until the runner has proved that the process is gone.
bool is_claimed(Task const& task, Instant now);
/// Whether the lease of a claim has ended, whatever its holder does.
bool is_lease_over(Task const& task, Instant now);
bool is_held_by(Task const& task, std::string_view holder, Instant now);

/// Makes the task what a reader sees: a claim whose time is over is not shown.
void hide_ended_claim(Task& task, Instant now);

/// The proof that a caller may change a claimed task.
struct ClaimProof {
  std::string holder;          ///< name the caller acts under; empty for none
  std::optional<Epoch> epoch;  ///< fencing number, if given
  bool force = false;
};

/// Refuses `STALE_CLAIM` for a wrong epoch and `TASK_CLAIMED` for a live claim of somebody else.
Result<void> check_claim(Task const& task, ClaimProof const& proof, Instant now);

/// Refuses `STALE_CLAIM` for a wrong epoch. A claim that is over may be renewed as long as nobody took the
/// task: whatever begins or ends a claim raises the epoch.
Result<void> check_renewal(Task const& task, ClaimProof const& proof);

/// Begins a claim: raises the epoch. `lease` zero means it never expires. Claiming again by the holder renews
/// and keeps the epoch.
void claim(Task& task, std::string_view holder, Duration lease, Instant now);
/// Begins a claim that counts as an attempt, after any other claim has ended.
void begin_attempt(Task& task, std::string_view holder, Duration lease, Instant now);
/// Moves the end of a live claim; keeps the epoch.
void renew(Task& task, Duration lease, Instant now);
/// Ends a claim, live or expired, and raises the epoch. Nothing happens to a task that has none.
void end_claim(Task& task);

/// The holder of work that was reported and waits to be landed. Its claim never expires.
inline constexpr std::string_view kEngine = "system";
/// Ends the claim of the agent and gives the task to the engine, so that nobody picks it.
void hold_for_engine(Task& task, Instant now);
bool is_held_by_engine(Task const& task);

/// Whether the question of the task is one of its live run, which still holds the task and waits for the
/// answer.
bool is_asked_by_live_run(Task const& task);

/// `expires in 45m`, `never expires`.
std::string remaining(Task const& task, Instant now);

}  // namespace andon::core
