#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/model/fault.hpp"
#include "core/model/run.hpp"
#include "core/model/usage_window.hpp"
#include "core/time/time_zone.hpp"
#include "runner/output/transcript.hpp"
#include "runner/runs/run_spec.hpp"

namespace andon::runner {

/// Why Andon ended a run. Recorded before the first signal is sent.
enum class StopReason {
  killed,          ///< SIGTERM to the supervising process
  stopped,         ///< SIGUSR1: a polite stop
  stale,           ///< the server reports that another claim holds
  cancelled,       ///< the server reports that the task was cancelled
  lease_lost,      ///< the server could not be reached for a whole lease
  total_time,      ///< the run took too long
  no_first_event,  ///< the agent printed no event
  silence,         ///< no output for too long, outside a tool call
  fatal,           ///< a rule of the profile says that the run cannot succeed
  reported,        ///< the agent has reported its work and did not end
  over_limit,      ///< its processes used more of the machine than they may
  short_of_memory  ///< SIGUSR2: the machine has no memory left
};
inline constexpr std::array<std::string_view, 12> kStopReasonNames{
    "killed",         "stopped", "stale", "cancelled", "lease_lost", "total_time",
    "no_first_event", "silence", "fatal", "reported",  "over_limit", "short_of_memory"};
constexpr auto const& wire_names(StopReason) { return kStopReasonNames; }
/// The reason that a signal to the supervising process gives for the end of its run.
StopReason reason_of_signal(int signal);

enum class ErrorClass {
  fail,
  auth,
  limit,
  config,
  input,
  http,
  signal,
  no_result,
  spawn_failed,
  internal,
  workspace,  ///< the run had no directory to work in
  overloaded  ///< the service of the model had no capacity
};
inline constexpr std::array<std::string_view, 12> kErrorClassNames{
    "fail",   "auth",      "limit",        "config",   "input",     "http",
    "signal", "no_result", "spawn_failed", "internal", "workspace", "overloaded"};
constexpr auto const& wire_names(ErrorClass) { return kErrorClassNames; }

/// How a run ended: the content of `end.json` in the run directory, and of the report to the server. It
/// states facts only; the server decides the outcome.
struct EndRecord {
  core::RunId run = 0;
  core::TaskId task = 0;
  core::Epoch epoch = 0;
  core::Instant started{};
  core::Instant ended{};
  std::optional<core::Exit> exit;     ///< nothing when the agent never started
  std::optional<StopReason> stopped;  ///< Andon's reason, if Andon ended the run
  std::optional<ErrorClass> error_class;
  std::string error;
  std::string remedy;            ///< what a person can do about it
  std::optional<bool> is_error;  ///< the claim of the agent's result event
  std::string status;
  std::string result;        ///< at most 64 KiB
  std::string unfinished{};  ///< the work that the program began and did not end, as a sentence
  std::string output_tail;   ///< the last 4 KiB of output: all of it in a text profile, otherwise before the
                             ///< first event
  std::string session;
  std::string model;
  std::optional<core::Usage> usage;
  core::Usage session_usage;                     ///< `used_before` of the next run of this session
  std::optional<core::Instant> limit_resets_at;  ///< when a usage limit ends
  std::vector<core::UsageWindow> windows{};      ///< of its account, as far as the program named them
  std::string branch;
  std::vector<std::string> commits;
  int files_changed = 0;
  std::vector<core::LeftOut> left_out{};
  std::int64_t left_out_count = 0;
  std::vector<std::string> remarks{};
  std::string base;  ///< the commit to compare the work with
  std::string head;  ///< the commit of the work
  std::vector<core::CheckResult> checks;
  std::optional<core::DiffSize> diff_size{};  ///< from base to head
  core::ResourceUse used{};
  std::optional<core::Fault> fault{};  ///< of more than the task
  std::string excess{};                ///< the limit of the machine that it exceeded, as a sentence
};
void describe(auto& field, EndRecord const*) {
  field(&EndRecord::run, "run");
  field(&EndRecord::task, "task");
  field(&EndRecord::epoch, "epoch");
  field(&EndRecord::started, "started");
  field(&EndRecord::ended, "ended");
  field(&EndRecord::exit, "exit");
  field(&EndRecord::stopped, "stopped");
  field(&EndRecord::error_class, "error_class");
  field(&EndRecord::error, "error");
  field(&EndRecord::remedy, "remedy");
  field(&EndRecord::is_error, "is_error");
  field(&EndRecord::status, "status");
  field(&EndRecord::result, "result");
  field(&EndRecord::unfinished, "unfinished");
  field(&EndRecord::output_tail, "output_tail");
  field(&EndRecord::session, "session");
  field(&EndRecord::model, "model");
  field(&EndRecord::usage, "usage");
  field(&EndRecord::session_usage, "session_usage");
  field(&EndRecord::limit_resets_at, "limit_resets_at");
  field(&EndRecord::windows, "windows");
  field(&EndRecord::branch, "branch");
  field(&EndRecord::commits, "commits");
  field(&EndRecord::files_changed, "files_changed");
  field(&EndRecord::left_out, "left_out");
  field(&EndRecord::left_out_count, "left_out_count");
  field(&EndRecord::remarks, "remarks");
  field(&EndRecord::base, "base");
  field(&EndRecord::head, "head");
  field(&EndRecord::checks, "checks");
  field(&EndRecord::diff_size, "diff_size");
  field(&EndRecord::used, "used");
  field(&EndRecord::fault, "fault");
  field(&EndRecord::excess, "excess");
}

/// The record of an agent that ran: its exit, the summary of its output, and Andon's reason. Times in words
/// are read by the clock of the machine on which the agent ran.
EndRecord make_end_record(RunSpec const& spec, Summary const& summary, core::Exit exit,
                          std::optional<StopReason> stopped, FatalRule const* fatal,
                          core::LocalClock const& clock);

}  // namespace andon::runner
