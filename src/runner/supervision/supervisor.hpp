#pragma once

#include <optional>
#include <string>

#include "os/processes/clock.hpp"
#include "os/processes/signals.hpp"
#include "runner/output/run_log.hpp"
#include "runner/output/transcript.hpp"
#include "runner/supervision/agent_process.hpp"
#include "runner/supervision/lease_renewer.hpp"
#include "runner/supervision/resource_watch.hpp"
#include "runner/supervision/run_cgroup.hpp"
#include "runner/supervision/stopper.hpp"
#include "runner/supervision/watch.hpp"

namespace andon::runner {

/// Supervises one agent in one loop: its process, limits, log and the server's answers.
class Supervisor {
 public:
  Supervisor(RunFiles const& files, RunSpec const& spec, RuleSet rules, os::SignalQueue& signals,
             ServerLink& link);

  /// Returns after the agent and all processes of the run have ended.
  EndRecord run();

 private:
  void step();
  void wait(core::Duration until);
  void take_signals();
  void freeze();
  void thaw();
  void take_beats();
  void pump(os::Descriptor& pipe, OutputStream from);
  void drain();
  void end_tree();
  void judge(core::Duration now);
  void stop_because(StopReason reason, core::Duration now);
  void tell_progress(core::Duration now, bool is_busy);
  void note(std::string const& text);
  void read_usage_file();
  EndRecord record(core::Exit exit);
  bool may_be_finished(EndRecord const& record);
  bool has_reported();
  StopReason seen_by_server(StopReason reason);
  void add_evidence(EndRecord& record, bool is_finished);
  void add_shared_evidence(EndRecord& record);
  void set_aside(EndRecord& record, std::string reason);
  void note_missing_submodules();
  void put_back(EndRecord& record);
  std::optional<os::Descriptor> place_of_work(EndRecord& record);
  void run_checks(EndRecord& record);
  bool must_stop_checks();
  OnLine on_line();

  RunSpec const& spec_;
  os::SignalQueue& signals_;
  os::SystemClock clock_;
  core::Instant started_;
  Redactor redactor_;
  RunLogWriter log_;
  Transcript transcript_;
  Watch watch_;
  Stopper stopper_;
  RunCgroup cgroup_;
  AgentProcess agent_;
  ResourceWatch resources_;
  LeaseRenewer renewer_;
  std::optional<StopReason> stopped_;
  core::Duration asleep_;
  std::string last_line_;
  /// The progress that the server was told last, and when.
  struct Reported {
    std::uint64_t progress = 0;
    core::Duration at{};
  } reported_;
};

}  // namespace andon::runner
