#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <boost/describe.hpp>

#include "core/field.hpp"
#include "core/model/task.hpp"
#include "core/time/time.hpp"

namespace andon::core {

using RunId = std::int64_t;

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
BOOST_DESCRIBE_STRUCT(Usage, (), (input, output, cache_read, cache_write, reasoning, cost_usd))
inline constexpr std::array kUsageFields{
    Field{"input", "Input tokens, cache included", always},
    Field{"output", "Output tokens, reasoning included", always},
    Field{"cache_read", "Of these read from the cache", always},
    Field{"cache_write", "Of these written to the cache", always},
    Field{"reasoning", "Reasoning tokens", always},
    Field{"cost_usd", "Cost in US dollars; null where no price is told", or_null}};
constexpr auto const& fields(Usage const*) { return kUsageFields; }

/// The end of the agent's process.
struct Exit {
  std::optional<int> code;
  std::optional<int> signal;
};
BOOST_DESCRIBE_STRUCT(Exit, (), (code, signal))
inline constexpr std::array kExitFields{Field{"code", "Exit code"}, Field{"signal", "Signal that ended it"}};
constexpr auto const& fields(Exit const*) { return kExitFields; }

/// The act that ended the claim of a live run. It is applied to the task only when no process of the run is
/// left.
struct StopOrder {
  std::string verb;    ///< kill, move, block, release, claim, complete, submit, fail, archive, delete
  std::string status;  ///< where the task goes
  std::string reason;
  std::string by;  ///< the actor who asked
  Instant at{};
  std::string claim_for{};  ///< who takes the task over
};
BOOST_DESCRIBE_STRUCT(StopOrder, (), (verb, status, reason, by, at, claim_for))
inline constexpr std::array kStopOrderFields{Field{"verb", "What was asked for", always},
                                             Field{"status", "Where the task goes"},
                                             Field{"reason", "Why"},
                                             Field{"by", "Who asked", always},
                                             Field{"at", "When", always},
                                             Field{"claim_for", "Who takes it over"}};
constexpr auto const& fields(StopOrder const*) { return kStopOrderFields; }

/// The result of a verification command of the board after an agent ended.
struct CheckResult {
  std::string name;
  bool passed = false;
  std::string output;  ///< the end of it
  std::optional<Exit> exit{};
  double seconds = 0;
};
BOOST_DESCRIBE_STRUCT(CheckResult, (), (name, passed, output, exit, seconds))
inline constexpr std::array kCheckResultFields{
    Field{"name", "Name of the check", required}, Field{"passed", "Whether it passed", always},
    Field{"output", "The end of its output"}, Field{"exit", "How its process ended"},
    Field{"seconds", "How long it took", set_only}};
constexpr auto const& fields(CheckResult const*) { return kCheckResultFields; }

/// How large the difference between two commits is.
struct DiffSize {
  int files = 0;
  std::int64_t added = 0;
  std::int64_t removed = 0;
  bool operator==(DiffSize const&) const = default;
};
BOOST_DESCRIBE_STRUCT(DiffSize, (), (files, added, removed))
inline constexpr std::array kDiffSizeFields{Field{"files", "Files that differ", always},
                                            Field{"added", "Lines added", always},
                                            Field{"removed", "Lines removed", always}};
constexpr auto const& fields(DiffSize const*) { return kDiffSizeFields; }

enum class LandingState {
  waiting,   ///< accepted; it has its place in the queue
  landed,    ///< it is part of the default branch
  returned,  ///< it could not be joined: the task went back
  withdrawn  ///< the task was taken up again before it was landed
};
inline constexpr std::array<std::string_view, 4> kLandingStateNames{"waiting", "landed", "returned",
                                                                    "withdrawn"};
constexpr auto const& wire_names(LandingState) { return kLandingStateNames; }

/// The merge of accepted work into the default branch of its board's repository.
struct Landing {
  LandingState state = LandingState::waiting;
  std::string reason;                ///< what it waits for, or why it went back
  std::string commit;                ///< what the default branch is, or is about to be, moved to
  std::string onto;                  ///< the commit of the default branch it was joined to
  Instant at{};                      ///< of the last change of state
  std::string branch{};              ///< the default branch it landed on
  std::vector<std::string> files{};  ///< in conflict with the default branch
  bool operator==(Landing const&) const = default;
};
BOOST_DESCRIBE_STRUCT(Landing, (), (state, reason, commit, onto, at, branch, files))
inline constexpr std::array kLandingFields{
    Field{"state", "waiting, landed, returned or withdrawn", always},
    Field{"reason", "What it waits for, or why it went back"},
    Field{"commit", "Commit the default branch is, or is about to be, moved to"},
    Field{"onto", "Commit of the default branch it was joined to"},
    Field{"at", "When the state changed", always},
    Field{"branch", "The default branch it landed on"},
    Field{"files", "Files in conflict with the default branch"}};
constexpr auto const& fields(Landing const*) { return kLandingFields; }

/// One attempt at one task by one worker.
struct Run {
  RunId id = 0;
  TaskId task = 0;
  std::string board;
  std::string worker;
  std::string runner;
  int attempt = 1;
  std::int64_t epoch = 0;
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
  std::string said;  ///< what the agent reported on the board: done, fail, block, handoff
  int created_tasks = 0;
  std::optional<StopOrder> stop;
  std::vector<CheckResult> checks;
  std::string base;  ///< commit its work is compared with
  std::string head;  ///< commit its work came to
  std::optional<Landing> landing;
  std::string no_change;                ///< why the work needed no change, as the agent reported it
  std::vector<std::string> choices{};   ///< answers the agent offered when it reported block
  std::optional<DiffSize> diff_size{};  ///< from base to head; nothing without commits
};
BOOST_DESCRIBE_STRUCT(Run, (),
                      (id, task, board, worker, runner, attempt, epoch, state, outcome, reason, started,
                       ended, progress, pid, process, exit, session, result, branch, commits, files_changed,
                       usage, said, created_tasks, stop, checks, base, head, landing, no_change, choices,
                       diff_size))
inline constexpr std::array kRunFields{Field{"id", "Number of the run", always},
                                       Field{"task", "Its task", always},
                                       Field{"board", "Board of the task", always},
                                       Field{"worker", "Who does it", always},
                                       Field{"runner", "The runner that executes it", always},
                                       Field{"attempt", "Which attempt at the task it is", always},
                                       Field{"epoch", "Fencing number of its claim", always},
                                       Field{"state", "starting, running, stopping or ended", always},
                                       Field{"outcome", "How it ended"},
                                       Field{"reason", "Why it ended so"},
                                       Field{"started", "When it began", always},
                                       Field{"ended", "When it ended"},
                                       Field{"progress", "Last sign that the work advances"},
                                       Field{"pid", "Process id of its supervisor"},
                                       Field{"process", "Boot id and start time of that process"},
                                       Field{"exit", "How the agent's process ended"},
                                       Field{"session", "The agent's own session id"},
                                       Field{"result", "What the agent said at the end"},
                                       Field{"branch", "Branch it worked on"},
                                       Field{"commits", "Commits it made"},
                                       Field{"files_changed", "How many files it changed", always},
                                       Field{"usage", "Tokens and money"},
                                       Field{"said", "What the agent reported on the board"},
                                       Field{"created_tasks", "How many tasks it created", set_only},
                                       Field{"stop", "What was asked for while it ran"},
                                       Field{"checks", "What the verification commands gave"},
                                       Field{"base", "Commit its work is compared with"},
                                       Field{"head", "Commit its work came to"},
                                       Field{"landing", "How it comes into the default branch"},
                                       Field{"no_change", "Why the work needed no change"},
                                       Field{"choices", "Answers the agent offered to its question"},
                                       Field{"diff_size", "Size of the change from base to head"}};
constexpr auto const& fields(Run const*) { return kRunFields; }

}  // namespace andon::core
