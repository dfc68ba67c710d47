#pragma once

#include <chrono>
#include <memory>
#include <optional>

#include "os/data/data_directory.hpp"
#include "runner/dispatch/run_keeper.hpp"

namespace andon::runner {

/// Ends the processes of one run and determines how the run ended. Has its own thread, so that a hanging
/// process or disk blocks nothing else. The destructor abandons the job: it ends a running git, and leaves a
/// blocked thread behind.
class ConclusionJob {
 public:
  ConclusionJob(std::filesystem::path run_dir, KnownRun run, os::DataDirectory data);
  ConclusionJob(ConclusionJob&&) noexcept = default;
  ConclusionJob& operator=(ConclusionJob&&) noexcept = default;
  ~ConclusionJob();

  /// The conclusion; nothing when it is not ready within that time.
  std::optional<Conclusion> result(std::chrono::milliseconds patience) const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace andon::runner
