#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/time/time.hpp"
#include "os/processes/machine.hpp"
#include "runner/dispatch/memory_shortage.hpp"
#include "service/limits/machine.hpp"

namespace andon::runner {

/// The live runs of this server, and what those of its neighbours reserve.
struct RunsOfMachine {
  std::size_t count = 0;
  std::vector<core::RunId> frozen{};     ///< because the memory was short
  service::ReservedMemory neighbours{};  ///< of the other servers on the machine
};

/// Judges from readings of the machine whether more runs may start, and which run has to be ended or frozen
/// because the memory runs out. A busy machine stays busy until it is well below the bound that it exceeded.
/// Times are readings of `Clock::uptime`.
class MachineWatch {
 public:
  /// Takes a reading. Returns the report when it differs from the last one in more than its numbers or
  /// the number of runs changed, and now and then while the machine is busy or has runs. Waiting for
  /// processors or for the disk matters only beside several runs for each processor. Nothing starts beside a
  /// frozen run.
  std::optional<service::MachineReport> take(os::MachineReading const& reading, RunsOfMachine const& runs,
                                             core::Duration now);
  /// The action that is due now. Ended runs get the time to give their memory back, and a neighbour whose
  /// runs hold more may act first. A second run is frozen only when a quarter of the free memory is gone
  /// since.
  MemoryDecision decide(MemoryFigures const& figures, core::Duration now);

 private:
  bool is_due(MemoryDecision const& decision, MemoryFigures const& figures, core::Duration now) const;

  std::optional<service::MachineReport> reported_;
  core::Duration reported_at_{};
  std::size_t reported_runs_ = 0;
  std::optional<core::Duration> acted_at_;
  std::optional<core::Duration> short_since_;
  std::optional<std::int64_t> free_at_freeze_;
};

}  // namespace andon::runner
