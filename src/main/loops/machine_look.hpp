#pragma once

#include <filesystem>
#include <optional>

#include "runner/dispatch/machine_watch.hpp"
#include "runner/dispatch/run_keeper.hpp"
#include "runner/operation_client.hpp"

namespace andon::main {

/// Looks at the machine while a server has a runner: reports how busy it is, and ends or freezes a run before
/// the memory runs out.
class MachineLook {
 public:
  /// The references outlive the object. The disk is that of the directory.
  MachineLook(runner::OperationClient& client, runner::RunKeeper& keeper, std::filesystem::path directory)
      : client_(client), keeper_(keeper), directory_(std::move(directory)) {}

  /// Takes a reading when one is due.
  void step(std::size_t live_runs, core::Duration uptime);

 private:
  runner::OperationClient& client_;
  runner::RunKeeper& keeper_;
  std::filesystem::path const directory_;
  runner::MachineWatch watch_;
  std::optional<core::Duration> read_at_;
};

}  // namespace andon::main
