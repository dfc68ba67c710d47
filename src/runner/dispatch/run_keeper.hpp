#pragma once

#include <map>
#include <optional>

#include "core/model/run.hpp"
#include "os/processes/process.hpp"
#include "runner/operation_client.hpp"
#include "service/runs/run_guard.hpp"

namespace andon::runner {

/// What the store says of a run; what its own directory says counts for nothing, since its agent writes
/// there.
struct KnownRun {
  core::RunId id = 0;
  std::optional<os::ProcessId> supervisor;
  core::RunGuard guard;
  std::string repo;  ///< of its board
};

/// A supervising process that waits for its key.
struct Prepared {
  os::ProcessId process;
  std::string input;    ///< which file the agent will read from
  std::string cgroups;  ///< where the cgroup of the run will be made; empty for nowhere
};

/// How it went with a run whose supervising process is gone.
struct Conclusion {
  bool is_clear = false;  ///< proved: no process of the run is left
  service::FinishRunRequest ending;
};

/// What the keeper needs done on this machine.
class RunHost {
 public:
  virtual ~RunHost() = default;
  /// Prepares the run's directory and starts its supervising process, which waits.
  virtual core::Result<Prepared> launch(service::RunBrief const& brief, std::string const& token) = 0;
  /// Lets the supervising process begin.
  virtual void release(core::RunId run, std::string const& key) = 0;
  /// Takes the waiting process back: nothing has begun.
  virtual void withdraw(core::RunId run) = 0;
  /// Whether anything was ever prepared for the run.
  virtual bool was_prepared(core::RunId run) = 0;
  /// Ends every process of the run, then finds out how it ended: what its supervising process wrote under its
  /// seal, else that it is lost. That may take long (processes die slowly, repositories lie on slow disks),
  /// so it is begun here and answered by a later call; nothing before.
  virtual std::optional<Conclusion> conclude(KnownRun const& run) = 0;
};

/// Starts opened runs, watches their supervising processes, stops what shall be stopped, and settles runs
/// whose processes are gone. Order of work: stop, prove stopped, then requeue. A supervising process keeps to
/// the lease of its run by itself; when it does not (its agent may stop it), the keeper ends the run.
class RunKeeper {
 public:
  RunKeeper(OperationClient& client, RunHost& host) : client_(client), host_(host) {}

  /// One pass; `uptime` is a reading of `Clock::uptime`, by which leases are judged. Returns how many runs
  /// are live.
  std::size_t step(core::Instant now, core::Duration uptime);
  /// Starts a run that was opened a moment ago, or gives its task back.
  void begin(core::Run const& run);

 private:
  struct Watched {
    os::ProcessId process;
    std::optional<core::Instant> told_to_stop{};
    std::optional<bool> is_frozen{};  ///< what the supervising process was told; nothing after an adoption
    std::optional<core::Instant> lease{};  ///< its end as it was seen last
    core::Duration renewed{};              ///< when that changed last, as uptime
    int stops = 0;                         ///< how often the supervising process was found stopped
    bool is_ending = false;                ///< its time is over
  };

  void take_over(core::Run const& run);
  void watch(core::Run const& run, Watched& watched, core::Instant now);
  void note_leases(core::Duration uptime);
  std::optional<std::string> why_over(Watched& watched, core::Duration uptime) const;
  void end_overdue(core::Run const& run, Watched& watched, core::Duration uptime);
  static void hold(Watched& watched, bool frozen);
  void settle(core::Run const& run);
  std::optional<KnownRun> known(core::Run const& run);
  void withdraw(core::Run const& run, core::Error const& error);
  void refuse_worker(core::Run const& run, core::Error const& error);

  OperationClient& client_;
  RunHost& host_;
  std::map<core::RunId, Watched> watched_;
};

}  // namespace andon::runner
