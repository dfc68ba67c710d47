#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/model/run.hpp"
#include "os/processes/process.hpp"
#include "runner/dispatch/memory_shortage.hpp"
#include "runner/operation_client.hpp"
#include "service/runs/run_guard.hpp"
#include "service/runs/run_report.hpp"

namespace andon::runner {

/// The facts about a run from the store. The run's own directory is not trusted, because its agent writes
/// there.
struct KnownRun {
  core::RunId id = 0;
  std::optional<os::ProcessId> supervisor;
  core::RunGuard guard;
  std::string repo;  ///< of the run's board
  bool plans = false;
  std::string branch{};  ///< of the run's board
  std::string branch_prefix = "andon";
  std::vector<std::string> filters{};  ///< that the run's board allows
};

/// A supervising process that waits for its key.
struct Prepared {
  os::ProcessId process;
  std::string input;    ///< the input file of the agent, as `DEVICE:INODE`
  std::string cgroups;  ///< the parent directory of the run's cgroup; empty for none
  std::string cwd{};    ///< the directory in which its agent starts
};

/// The result of ending a run whose supervising process is gone.
struct Conclusion {
  bool is_clear = false;  ///< proved: no process of the run is left
  service::FinishRunRequest ending;
};

/// The actions on this machine that the keeper needs.
class RunHost {
 public:
  virtual ~RunHost() = default;
  /// Prepares the run's directory and starts its supervising process, which waits for the key.
  virtual core::Result<Prepared> launch(service::RunBrief const& brief, std::string const& token) = 0;
  /// Sends the key, so that the supervising process begins.
  virtual void release(core::RunId run, std::string const& key) = 0;
  /// Ends the waiting process before the run began.
  virtual void withdraw(core::RunId run) = 0;
  /// True when a supervising process may have been started for the run.
  virtual bool was_prepared(core::RunId run) = 0;
  /// Ends every process of the run, then determines how the run ended: by the record that its supervising
  /// process sealed, otherwise as lost. Slow processes and disks may delay this. So the first call starts it,
  /// and a later call returns the conclusion; until then it returns nothing.
  virtual std::optional<Conclusion> conclude(KnownRun const& run) = 0;
  /// Forgets the supervising process of a run that has ended. It may need a moment to end itself.
  virtual void let_go(core::RunId /*run*/) {}
  /// Whether another host may do what this one cannot.
  virtual bool is_one_of_many() const { return false; }
};

/// Starts opened runs, watches their supervising processes, stops runs on request, and settles runs whose
/// processes are gone. The order is: stop, prove that no process is left, then requeue. A supervising process
/// observes the lease of its run itself. If it does not (its agent may stop it), the keeper ends the run,
/// also while no server answers.
class RunKeeper {
 public:
  /// `server` is the name of the server under which its runs are recorded.
  RunKeeper(OperationClient& client, RunHost& host, std::string server = std::string{service::kOnlyServer})
      : client_(client), host_(host), server_(std::move(server)) {}

  /// One pass. `uptime` is a reading of `Clock::uptime`, by which leases are judged. Returns the number of
  /// live runs.
  std::size_t step(core::Instant now, core::Duration uptime);
  /// Starts a run that was just opened, or gives its task back.
  void begin(core::Run const& run);
  /// Measures the memory of the runs that it watches.
  std::vector<MemoryOfRun> memory_of_runs() const;
  /// Ends, freezes or thaws a run because of the memory. The task of an ended run waits and is tried again.
  void act(MemoryDecision const& decision);
  /// The runs that it froze because the memory was short.
  std::vector<core::RunId> frozen_for_memory() const;
  /// Asks every supervising process to end its run.
  void end_all();
  /// The runs whose supervising processes it watches.
  std::vector<core::RunId> watched() const;
  /// Why the last run could not be prepared on this machine, such as a full disk; empty when it could.
  std::string const& trouble() const { return trouble_; }
  void forget_trouble() { trouble_.clear(); }

 private:
  struct Watched {
    os::ProcessId process;
    core::Run run{};  ///< as last seen
    std::optional<core::Instant> stop_ordered_at{};
    /// The state last sent to the supervising process; nothing after an adoption.
    std::optional<bool> is_frozen{};
    bool is_frozen_by_order = false;  ///< of a person, as of the last answer
    bool is_frozen_for_memory = false;
    std::optional<core::Instant> lease{};  ///< the end of the lease at the last step
    core::Duration renewed{};              ///< the uptime at which `lease` last changed
    int stops = 0;                         ///< how often the supervising process was found stopped
    bool is_ending = false;                ///< it was killed because its time is over
  };

  /// A prepared process that waits for its key.
  struct Waiting {
    os::ProcessId process;
    core::RunGuard guard;
  };

  /// Has the board record the process that waits, then lets it begin.
  void resume(core::Run const& run);
  /// Ends the process that waits. A later step settles the run.
  void abandon(core::RunId id);
  void take_over(core::Run const& run);
  void watch(core::Run const& run, Watched& watched, core::Instant now);
  void note_leases(core::Duration uptime);
  std::optional<std::string> why_over(Watched& watched, core::Duration uptime) const;
  void end_overdue(core::Run const& run, Watched& watched, core::Duration uptime);
  static void hold(Watched& watched);
  void settle(core::Run const& run);
  std::optional<KnownRun> known(core::Run const& run);
  void withdraw(core::Run const& run, core::Error const& error);
  void refuse_worker(core::Run const& run, core::Error const& error);
  void give_back(core::Run const& run, core::Error const& error);
  /// Also ends what is left here of a run that the server gave up, and tells once how it ended. False when
  /// the board has to be asked again.
  bool follow_end(core::RunId id);
  bool report_late(core::Run const& run);

  OperationClient& client_;
  RunHost& host_;
  std::string const server_;
  std::map<core::RunId, Waiting> waiting_;
  std::map<core::RunId, Watched> watched_;
  std::string trouble_;
  std::map<core::RunId, core::Run> given_up_;  ///< lost for the server, and not yet told of here
};

}  // namespace andon::runner
