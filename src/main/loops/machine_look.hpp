#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "runner/dispatch/machine_watch.hpp"
#include "runner/dispatch/neighbour_files.hpp"
#include "runner/dispatch/run_keeper.hpp"
#include "runner/operation_client.hpp"

namespace andon::main {

/// Looks at the machine while a server has a runner: reports how busy it is, and ends or freezes a run before
/// the memory runs out. It also exchanges what the runs use with the other servers on the machine.
class MachineLook {
 public:
  /// The references outlive the object. The disk is that of the directory. The servers on the machine meet in
  /// the shared directory; it is empty where there is none.
  MachineLook(runner::OperationClient& client, runner::RunKeeper& keeper, std::filesystem::path directory,
              std::filesystem::path shared)
      : client_(client),
        keeper_(keeper),
        directory_(std::move(directory)),
        neighbour_files_(std::move(shared)) {}

  /// Takes a reading when one is due.
  void step(std::size_t live_runs, core::Duration uptime);

 private:
  /// Measures the own runs, and reads those of the neighbours.
  void measure(std::size_t live_runs, core::Duration uptime);
  void report(os::MachineReading const& reading, std::size_t live_runs, core::Duration uptime);

  runner::OperationClient& client_;
  runner::RunKeeper& keeper_;
  std::filesystem::path const directory_;
  runner::MachineWatch watch_;
  runner::NeighbourFiles neighbour_files_;
  std::vector<runner::Fleet> neighbours_;
  std::vector<runner::MemoryOfRun> runs_;  ///< as last measured
  std::int64_t reserved_ = 0;              ///< by the own runs, as the server last answered
  std::optional<core::Duration> read_at_;
  std::optional<core::Duration> measured_at_;
};

}  // namespace andon::main
