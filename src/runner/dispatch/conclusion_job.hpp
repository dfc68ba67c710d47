#pragma once

#include <chrono>
#include <memory>
#include <optional>

#include "runner/dispatch/run_keeper.hpp"

namespace andon::runner {

/// Ends the processes of one run and finds out how it ended, on a thread of its own: whatever a process or a
/// disk does to it, nobody else waits. Abandoned when it is destroyed: a git that runs is ended, and a thread
/// that nothing wakes stays behind alone.
class ConclusionJob {
 public:
  ConclusionJob(std::filesystem::path run_dir, KnownRun run);
  ConclusionJob(ConclusionJob&&) noexcept = default;
  ConclusionJob& operator=(ConclusionJob&&) noexcept = default;
  ~ConclusionJob();

  /// What came of it; nothing when it is not done within that time.
  std::optional<Conclusion> result(std::chrono::milliseconds patience) const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace andon::runner
