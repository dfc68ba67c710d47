#pragma once

#include <optional>
#include <string>

#include "core/time/time.hpp"
#include "os/processes/machine.hpp"
#include "service/limits/machine.hpp"

namespace andon::runner {

/// Judges from readings of the machine whether more runs may start, and when a run has to be ended because
/// the memory runs out. A busy machine stays busy until it is well below the bound that it exceeded. Times
/// are readings of `Clock::uptime`.
class MachineWatch {
 public:
  /// Takes a reading while `runs` runs are alive. Returns the report when it differs from the last one in
  /// more than its numbers, and now and then while the machine is busy. Waiting for processors or for the
  /// disk matters only beside several runs for each processor.
  std::optional<service::MachineReport> take(os::MachineReading const& reading, std::size_t runs,
                                             core::Duration now);
  /// True when the memory is so short that a run has to be ended now. After that it is false for the time in
  /// which the ended run gives its memory back.
  bool must_end_a_run(os::MachineReading const& reading, core::Duration now);

 private:
  std::optional<service::MachineReport> reported_;
  core::Duration reported_at_{};
  std::optional<core::Duration> ended_at_;
};

}  // namespace andon::runner
