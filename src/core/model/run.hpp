#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/field.hpp"
#include "core/id.hpp"
#include "core/model/land_limits.hpp"
#include "core/model/verb.hpp"
#include "core/time/time.hpp"

namespace andon::core {

enum class RunState { starting, running, stopping, ended };
inline constexpr std::array<std::string_view, 4> kRunStateNames{"starting", "running", "stopping", "ended"};
constexpr auto const& wire_names(RunState) { return kRunStateNames; }

enum class Outcome {
  succeeded,
  failed,
  killed,
  lost,
  timed_out,
  handed_off,
  blocked,
  over_budget,
  rate_limited,
  incomplete,
};
inline constexpr std::array<std::string_view, 10> kOutcomeNames{
    "succeeded",  "failed",  "killed",      "lost",         "timed_out",
    "handed_off", "blocked", "over_budget", "rate_limited", "incomplete"};
constexpr auto const& wire_names(Outcome) { return kOutcomeNames; }

/// Tokens and money. `input` counts all input including cache, `output` all output including reasoning.
struct Usage {
  std::int64_t input = 0;
  std::int64_t output = 0;
  std::int64_t cache_read = 0;
  std::int64_t cache_write = 0;
  std::int64_t reasoning = 0;
  std::optional<double> cost_usd{};  ///< nothing where the program tells no price
};
void describe(auto& field, Usage const*) {
  field(&Usage::input, "input", "Input tokens, cache included", always);
  field(&Usage::output, "output", "Output tokens, reasoning included", always);
  field(&Usage::cache_read, "cache_read", "Of these read from the cache", always);
  field(&Usage::cache_write, "cache_write", "Of these written to the cache", always);
  field(&Usage::reasoning, "reasoning", "Reasoning tokens", always);
  field(&Usage::cost_usd, "cost_usd", "Cost in US dollars; null where no price is told", or_null);
}

/// The end of the agent's process.
struct Exit {
  std::optional<int> code;
  std::optional<int> signal;
};
void describe(auto& field, Exit const*) {
  field(&Exit::code, "code", "Exit code");
  field(&Exit::signal, "signal", "Signal that ended it");
}

/// The report of an agent on its own work.
enum class AgentReport { done, handoff, block, fail };
inline constexpr std::array<std::string_view, 4> kAgentReportNames{"done", to_text(Verb::handoff),
                                                                   to_text(Verb::block), to_text(Verb::fail)};
constexpr auto const& wire_names(AgentReport) { return kAgentReportNames; }

/// The reason of Andon to stop a run, or to end one whose processes are gone.
enum class StopReason {
  killed,     ///< somebody asked for it
  timed_out,  ///< it reached its time limit
  stale,      ///< it made no progress for too long
  over_budget,
  rate_limited,     ///< its account reached a usage limit
  fatal,            ///< its agent cannot work: sign-in or billing
  unfit,            ///< its worker could not be started
  workspace,        ///< it had no place to work in
  withdrawn,        ///< its task could not be started any more
  lost,             ///< its processes were gone
  reported,         ///< it was still there after its agent had reported
  over_limit,       ///< it used more of the machine than it may
  short_of_memory,  ///< the machine had no memory left for it
  overloaded,       ///< the service of its model had no capacity
  fault,            ///< of its board or its machine, not of its task
};
inline constexpr std::array<std::string_view, 15> kStopReasonNames{
    "killed",   "timed_out",  "stale",           "over_budget", "rate_limited",
    "fatal",    "unfit",      "workspace",       "withdrawn",   "lost",
    "reported", "over_limit", "short_of_memory", "overloaded",  "fault"};
constexpr auto const& wire_names(StopReason) { return kStopReasonNames; }

/// The act that ended the claim of a live run. It is applied to the task only when no process of the run is
/// left.
struct StopOrder {
  Verb verb = Verb::kill;
  std::string status{};  ///< where the task goes
  std::string reason{};
  std::string by{};  ///< the actor who asked
  Instant at{};
  std::string claim_for{};  ///< who takes the task over
};
void describe(auto& field, StopOrder const*) {
  field(&StopOrder::verb, "verb", "What was asked for", always);
  field(&StopOrder::status, "status", "Where the task goes");
  field(&StopOrder::reason, "reason", "Why");
  field(&StopOrder::by, "by", "Who asked", always);
  field(&StopOrder::at, "at", "When", always);
  field(&StopOrder::claim_for, "claim_for", "Who takes it over");
}

/// The result of a verification command of the board after an agent ended.
struct CheckResult {
  std::string name;
  bool passed = false;
  std::string output;  ///< the end of it; of a flaky one, that of the attempt that failed
  std::optional<Exit> exit{};
  double seconds = 0;
  bool flaky = false;  ///< it failed, and passed when it was run again in the same place
};
void describe(auto& field, CheckResult const*) {
  field(&CheckResult::name, "name", "Name of the check", required);
  field(&CheckResult::passed, "passed", "Whether it passed", always);
  field(&CheckResult::output, "output", "The end of its output");
  field(&CheckResult::exit, "exit", "How its process ended");
  field(&CheckResult::seconds, "seconds", "How long it took", set_only);
  field(&CheckResult::flaky, "flaky", "Whether it failed first and passed when it was run again", set_only);
}

/// How large the difference between two commits is.
struct DiffSize {
  int files = 0;
  std::int64_t added = 0;
  std::int64_t removed = 0;
  bool operator==(DiffSize const&) const = default;
};
void describe(auto& field, DiffSize const*) {
  field(&DiffSize::files, "files", "Files that differ", always);
  field(&DiffSize::added, "added", "Lines added", always);
  field(&DiffSize::removed, "removed", "Lines removed", always);
}

enum class LandingState {
  waiting,    ///< accepted; it has its place in the queue
  landed,     ///< it is part of the default branch
  returned,   ///< it could not be joined: the task went back
  withdrawn,  ///< the task was taken up again before it was landed
  asked       ///< it exceeds the board's limits: a person says whether it lands
};
inline constexpr std::array<std::string_view, 5> kLandingStateNames{"waiting", "landed", "returned",
                                                                    "withdrawn", "asked"};
constexpr auto const& wire_names(LandingState) { return kLandingStateNames; }

/// The merge of accepted work into the default branch of its board's repository.
struct Landing {
  LandingState state = LandingState::waiting;
  std::string reason;                   ///< what it waits for, or why it went back
  std::string commit;                   ///< what the default branch is, or is about to be, moved to
  std::string onto;                     ///< the commit of the default branch it was joined to
  Instant at{};                         ///< of the last change of state
  std::string branch{};                 ///< the default branch it landed on
  std::vector<std::string> files{};     ///< in conflict with the default branch
  std::vector<LandFinding> findings{};  ///< the limits that it exceeds
  std::string allowed_by{};             ///< who let it land in spite of them; empty for nobody
  bool squash = false;                  ///< it lands as one commit, without the history of the work
  bool operator==(Landing const&) const = default;
};
void describe(auto& field, Landing const*) {
  field(&Landing::state, "state", "waiting, landed, returned, withdrawn or asked", always);
  field(&Landing::reason, "reason", "What it waits for, or why it went back");
  field(&Landing::commit, "commit", "Commit the default branch is, or is about to be, moved to");
  field(&Landing::onto, "onto", "Commit of the default branch it was joined to");
  field(&Landing::at, "at", "When the state changed", always);
  field(&Landing::branch, "branch", "The default branch it landed on");
  field(&Landing::files, "files", "Files in conflict with the default branch");
  field(&Landing::findings, "findings", "The limits of the board that it exceeds");
  field(&Landing::allowed_by, "allowed_by", "Who let it land in spite of them");
  field(&Landing::squash, "squash", "Whether it lands as one commit, without the history of the work",
        set_only);
}

enum class RevertState {
  waiting,   ///< it has its place in the queue
  reverted,  ///< the work is taken back on the default branch
  refused    ///< it could not be taken back
};
inline constexpr std::array<std::string_view, 3> kRevertStateNames{"waiting", "reverted", "refused"};
constexpr auto const& wire_names(RevertState) { return kRevertStateNames; }

/// The future of a task whose work is taken back.
enum class AfterRevert { reopen, close };
inline constexpr std::array<std::string_view, 2> kAfterRevertNames{"reopen", "close"};
constexpr auto const& wire_names(AfterRevert) { return kAfterRevertNames; }

/// The removal of landed work from the default branch by a new commit.
struct Revert {
  RevertState state = RevertState::waiting;
  AfterRevert then = AfterRevert::reopen;
  std::string by{};      ///< who asked
  std::string why{};     ///< as that person said
  std::string reason{};  ///< what it waits for, or why it was refused
  std::string commit{};  ///< what the default branch is, or is about to be, moved to
  std::string onto{};    ///< the commit of the default branch before
  Instant at{};          ///< of the last change of state
  bool operator==(Revert const&) const = default;
};
void describe(auto& field, Revert const*) {
  field(&Revert::state, "state", "waiting, reverted or refused", always);
  field(&Revert::then, "then", "What becomes of the task: reopen or close", always);
  field(&Revert::by, "by", "Who asked", always);
  field(&Revert::why, "why", "Why, as that person said");
  field(&Revert::reason, "reason", "What it waits for, or why it was refused");
  field(&Revert::commit, "commit", "Commit the default branch is, or is about to be, moved to");
  field(&Revert::onto, "onto", "Commit of the default branch before");
  field(&Revert::at, "at", "When the state changed", always);
}

/// A path that is left out of the work that lands: no commit has it, or none that may leave this machine.
struct LeftOut {
  std::string path;
  std::string reason;
  bool operator==(LeftOut const&) const = default;
};
void describe(auto& field, LeftOut const*) {
  field(&LeftOut::path, "path", "The path, from the top of the work tree", always);
  field(&LeftOut::reason, "reason", "Why it is left out", always);
}

/// One attempt at one task by one worker.
struct Run {
  RunId id = 0;
  TaskId task = 0;
  std::string board;
  std::string worker;
  std::string runner;
  std::string agent;  ///< the agent profile that it uses; empty for a run from before it was recorded
  int attempt = 1;
  Epoch epoch = 0;
  RunState state = RunState::starting;
  std::optional<Outcome> outcome;
  std::string reason;
  Instant started{};
  std::optional<Instant> ended;
  std::optional<Instant> progress;  ///< last sign that the work advances
  std::optional<std::int64_t> pid;  ///< of the supervising process
  std::string process;  ///< its identity: boot id and start time, so that a reused pid is told apart
  std::optional<Exit> exit;
  std::string session;
  std::string result;
  std::string branch;
  std::vector<std::string> commits;
  int files_changed = 0;
  std::optional<Usage> usage;
  std::optional<AgentReport> said;
  int created_tasks = 0;
  std::optional<StopOrder> stop;
  std::vector<CheckResult> checks;
  std::string base;  ///< commit its work is compared with
  std::string head;  ///< commit its work came to
  std::optional<Landing> landing;
  std::string no_change;                ///< why the work needed no change, as the agent reported it
  std::vector<std::string> choices{};   ///< answers the agent offered when it reported block
  std::optional<DiffSize> diff_size{};  ///< from base to head; nothing without commits
  std::optional<Revert> revert{};       ///< of its landed work
  std::int64_t peak_memory = 0;         ///< bytes, resident, of all its processes together
  std::optional<Duration> cpu_time{};   ///< of all its processes together
  bool plans = false;                   ///< it writes a plan and changes no file
  std::vector<LeftOut> left_out{};      ///< of the work, the first 100; such work is not done
  std::int64_t left_out_count = 0;      ///< all paths that are left out
  std::vector<std::string> remarks{};   ///< on its work, for people: sentences
  int unfinished = 0;      ///< ends of its task in a row, up to this one, that left work of the program open
  bool told_late = false;  ///< its runner told how it ended after it had been given up as lost
};
void describe(auto& field, Run const*) {
  field(&Run::id, "id", "Number of the run", always);
  field(&Run::task, "task", "Its task", always);
  field(&Run::board, "board", "Board of the task", always);
  field(&Run::worker, "worker", "Who does it", always);
  field(&Run::runner, "runner", "The runner that executes it", always);
  field(&Run::agent, "agent", "The agent profile, and so the account, that it uses");
  field(&Run::attempt, "attempt", "Which attempt at the task it is", always);
  field(&Run::epoch, "epoch", "Fencing number of its claim", always);
  field(&Run::state, "state", "starting, running, stopping or ended", always);
  field(&Run::outcome, "outcome", "How it ended");
  field(&Run::reason, "reason", "Why it ended so");
  field(&Run::started, "started", "When it began", always);
  field(&Run::ended, "ended", "When it ended");
  field(&Run::progress, "progress", "Last sign that the work advances");
  field(&Run::pid, "pid", "Process id of its supervisor");
  field(&Run::process, "process", "Boot id and start time of that process");
  field(&Run::exit, "exit", "How the agent's process ended");
  field(&Run::session, "session", "The agent's own session id");
  field(&Run::result, "result", "What the agent said at the end");
  field(&Run::branch, "branch", "Branch it worked on");
  field(&Run::commits, "commits", "Commits it made");
  field(&Run::files_changed, "files_changed", "How many files it changed", always);
  field(&Run::usage, "usage", "Tokens and money");
  field(&Run::said, "said", "What the agent reported on the board");
  field(&Run::created_tasks, "created_tasks", "How many tasks it created", set_only);
  field(&Run::stop, "stop", "What was asked for while it ran");
  field(&Run::checks, "checks", "What the verification commands gave");
  field(&Run::base, "base", "Commit its work is compared with");
  field(&Run::head, "head", "Commit its work came to");
  field(&Run::landing, "landing", "How it comes into the default branch");
  field(&Run::no_change, "no_change", "Why the work needed no change");
  field(&Run::choices, "choices", "Answers the agent offered to its question");
  field(&Run::diff_size, "diff_size", "Size of the change from base to head");
  field(&Run::revert, "revert", "How its landed work is taken back");
  field(&Run::peak_memory, "peak_memory", "Most memory of all its processes together, in bytes", set_only);
  field(&Run::cpu_time, "cpu_time", "Processor time of all its processes together");
  field(&Run::plans, "plans", "Whether it only writes the plan of its task", set_only);
  field(&Run::left_out, "left_out", "The first paths that are left out of the work that lands, and why");
  field(&Run::left_out_count, "left_out_count", "How many paths are left out of it", set_only);
  field(&Run::remarks, "remarks", "What a person should know of the work, such as hooks that were not run");
  field(&Run::unfinished, "unfinished",
        "Ends of its task in a row, up to this one, that left work of its program open", set_only);
  field(&Run::told_late, "told_late", "Whether its end was told after it had been given up as lost",
        set_only);
}

}  // namespace andon::core
