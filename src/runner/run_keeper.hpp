#pragma once

#include <map>
#include <optional>

#include "core/run.hpp"
#include "os/process.hpp"
#include "runner/desk.hpp"
#include "service/run_report.hpp"

namespace andon::runner {

/// What the keeper needs done on this machine.
class RunHouse {
 public:
  virtual ~RunHouse() = default;
  /// Prepares the run's directory and starts its supervising process.
  virtual core::Result<os::ProcessId> launch(service::RunBrief const& brief, std::string const& token) = 0;
  /// The supervising process that an earlier life of this server started for the run, if it left a trace.
  virtual std::optional<os::ProcessId> supervisor_of(core::RunId run) = 0;
  /// Whether anything was ever prepared for the run.
  virtual bool was_prepared(core::RunId run) = 0;
  /// Ends every process of the run and proves that none is left; false when some would not go.
  virtual bool clear(core::RunId run) = 0;
  /// What the supervising process wrote about the end, if it came that far.
  virtual std::optional<service::FinishRunRequest> ending_of(core::RunId run) = 0;
};

/// Starts opened runs, watches their supervising processes, stops what shall be stopped, and settles runs
/// whose processes are gone. Order of work: stop, prove stopped, then requeue.
class RunKeeper {
 public:
  RunKeeper(Desk& desk, RunHouse& house) : desk_(desk), house_(house) {}

  /// One pass. Returns how many runs are live.
  std::size_t step(core::Instant now);
  /// Starts a run that was opened a moment ago, or gives its task back.
  void begin(core::Run const& run);

 private:
  struct Watched {
    os::ProcessId process;
    std::optional<core::Instant> told_to_stop;
    std::optional<core::Instant> said_goodbye;
    bool asked_to_leave = false;
    std::optional<bool> is_frozen{};  ///< what the supervising process was told; nothing after an adoption
  };

  void take_over(core::Run const& run, core::Instant now);
  void watch(core::Run const& run, Watched& watched, core::Instant now);
  static void hold(Watched& watched, bool frozen);
  void settle(core::Run const& run);
  void withdraw(core::Run const& run, core::Error const& error);
  void refuse_worker(core::Run const& run, core::Error const& error);

  Desk& desk_;
  RunHouse& house_;
  std::map<core::RunId, Watched> watched_;
  std::map<core::RunId, core::Instant> unexplained_;  ///< prepared by an earlier life, no process seen yet
};

}  // namespace andon::runner
