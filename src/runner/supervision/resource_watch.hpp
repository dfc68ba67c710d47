#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <sys/types.h>
#include <thread>
#include <vector>

#include "core/model/resource_limits.hpp"
#include "os/processes/clock.hpp"
#include "os/processes/event.hpp"
#include "runner/runs/run_files.hpp"
#include "runner/supervision/disk_meter.hpp"
#include "runner/supervision/run_use.hpp"

namespace andon::runner {

/// Gives a process of a run the weight of its limits, and limits the size of its files. Andon and the rest of
/// the machine go before it when processors are scarce.
void hold_back(pid_t process, core::ResourceLimits const& limits);

/// The directories that count as the disk of a run: its own, and its work tree.
std::vector<std::filesystem::path> disk_of(RunFiles const& files, RunSpec const& spec);

/// The use of the machine by the processes of a run at one moment.
struct ResourceSample {
  std::int64_t memory = 0;  ///< bytes
  std::int64_t processes = 0;
  std::int64_t disk = 0;  ///< bytes
};

/// Compares samples with the limits of a run.
class ResourceJudge {
 public:
  explicit ResourceJudge(core::ResourceLimits const& limits) : limits_(limits) {}

  void take(ResourceSample const& sample);
  /// True from the first sample beyond a limit on.
  bool is_exceeded() const { return exceeded_ != Kind::none; }
  /// The limit that was exceeded first, with the peak since then; empty for none.
  std::string excess() const;
  std::int64_t peak_memory() const { return peak_.memory; }
  /// The time until the next sample: short when the memory comes near to its limit.
  core::Duration interval() const;

 private:
  enum class Kind { none, memory, processes, disk };

  core::ResourceLimits limits_;
  ResourceSample last_{};
  ResourceSample peak_{};
  Kind exceeded_ = Kind::none;
};

/// Measures the processes of a run on a thread of its own until it is destroyed. It also holds back each
/// process that it sees for the first time, because agents start their tools in new sessions.
class ResourceWatch {
 public:
  /// `processes` lists them on any thread. `directories` count as the run's disk.
  ResourceWatch(core::ResourceLimits const& limits, std::function<std::vector<pid_t>()> processes,
                std::vector<std::filesystem::path> directories);

  /// Becomes readable when a limit is exceeded.
  int handle() const { return exceeded_.handle(); }
  bool is_exceeded() const { return exceeded_.is_set(); }
  /// The use so far, with that of children which this process waited for.
  RunUse use() const;

 private:
  void run(std::stop_token const& stop);
  ResourceSample sample();

  core::ResourceLimits const limits_;
  std::int64_t const ended_before_;  ///< processes that the kernel had ended without memory
  std::function<std::vector<pid_t>()> const processes_;
  DiskMeter disk_;
  std::vector<pid_t> held_;  ///< the processes of the last sample, in order
  os::Event exceeded_;
  mutable std::mutex mutex_;
  ResourceJudge judge_;  ///< guarded by mutex_
  std::jthread thread_;
};

}  // namespace andon::runner
