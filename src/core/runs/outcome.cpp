#include "core/runs/outcome.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "core/model/task.hpp"
#include "core/text/names.hpp"

namespace andon::core {
namespace {

struct OutcomeRow {
  StopReason because;
  Outcome outcome;
  std::string_view reason;
};

constexpr std::size_t kCheckOutput =
    2'048;  ///< bytes of a failed check's output that go into the next prompt

constexpr char kNoEvidence[] = "no evidence: it ended without anything to show for it";

constexpr char kNoVerdict[] = "no verdict: it ended without andon accept or andon reject";

constexpr char kNoPlan[] = "no plan: it ended without writing one";

/// A run that was stopped after its report ended as it reported.
constexpr std::array kStopped{
    OutcomeRow{StopReason::killed, Outcome::killed, "stopped by request"},
    OutcomeRow{StopReason::timed_out, Outcome::timed_out, "reached its time limit"},
    OutcomeRow{StopReason::stale, Outcome::timed_out, "made no progress for too long"},
    OutcomeRow{StopReason::over_budget, Outcome::over_budget, "reached its budget"},
    OutcomeRow{StopReason::rate_limited, Outcome::rate_limited, "reached a usage limit of its account"},
    OutcomeRow{StopReason::fatal, Outcome::failed, "the agent cannot work (sign-in or billing)"},
    OutcomeRow{StopReason::unfit, Outcome::failed, "its worker could not be started"},
    OutcomeRow{StopReason::workspace, Outcome::blocked, "it had no place to work in"},
    OutcomeRow{StopReason::withdrawn, Outcome::killed, "its task could not be started any more"},
    OutcomeRow{StopReason::lost, Outcome::lost, "its processes were gone"},
    OutcomeRow{StopReason::over_limit, Outcome::failed, "used more of the machine than it may"},
    OutcomeRow{StopReason::short_of_memory, Outcome::killed, "the machine had no memory left for it"},
    OutcomeRow{StopReason::overloaded, Outcome::rate_limited, "the service of its model was at capacity"},
    OutcomeRow{StopReason::fault, Outcome::blocked, "a fault of its board or its machine"},
};
static_assert(kStopped.size() + 1 == kStopReasonNames.size());

/// The outcome of each report, in the order of the enum.
constexpr std::array kReported{Outcome::succeeded, Outcome::handed_off, Outcome::blocked, Outcome::failed};
static_assert(kReported.size() == kAgentReportNames.size());

std::string first_line(std::string_view text) {
  return std::string{beginning(text.substr(0, text.find('\n')), 300)};
}

std::string last_line(std::string_view text) {
  auto const end = text.find_last_not_of(" \t\r\n");
  if (end == std::string_view::npos) return {};
  text = text.substr(0, end + 1);
  return std::string{beginning(text.substr(text.find_last_of("\r\n") + 1), 300)};
}

std::string ended_by(Exit const& exit) {
  if (exit.signal) return "ended by signal " + std::to_string(*exit.signal);
  return "exit code " + std::to_string(exit.code.value_or(-1));
}

/// Whether an agent with this outcome claims that its part is done, so that a review needs its verdict.
bool leaves_verdict_open(Outcome outcome) {
  return outcome == Outcome::succeeded || outcome == Outcome::incomplete || outcome == Outcome::handed_off;
}

/// True when the agent claims success, on the board or by its program's final result.
bool says_success(Ending const& ending) {
  if (ending.said) return ending.said == AgentReport::done;
  return ending.has_result && !ending.result_is_error;
}

Judgement judge_work(Ending const& ending) {
  auto const row = std::ranges::find(kStopped, ending.stopped_because, &OutcomeRow::because);
  if (row != kStopped.end()) return {row->outcome, std::string{row->reason}};
  if (!ending.unfinished.empty() && says_success(ending)) return {Outcome::failed, ending.unfinished, true};
  bool const claims_done = !ending.said || ending.said == AgentReport::done;
  if (!ending.failed_check.empty() && claims_done) return {Outcome::failed, ending.failed_check};
  if (ending.said == AgentReport::done && !ending.has_evidence) return {Outcome::incomplete, kNoEvidence};
  if (ending.said) return {kReported[static_cast<std::size_t>(*ending.said)], ""};
  if (ending.has_result && ending.result_is_error) {
    auto const line = first_line(ending.result_text);
    return {Outcome::failed, line.empty() ? "the agent reported an error" : line};
  }
  if (!ending.has_result && (ending.exit.signal || ending.exit.code.value_or(-1) != 0)) {
    // The last line of an agent that was killed is no report.
    auto const words = ending.exit.signal ? std::string{} : last_line(ending.result_text);
    return {Outcome::failed, ended_by(ending.exit) + (words.empty() ? "" : ": " + words)};
  }
  if (ending.has_evidence) return {Outcome::succeeded, ""};
  return {Outcome::incomplete, kNoEvidence};
}

}  // namespace

Judgement judge(Ending const& ending) {
  auto const judgement = judge_work(ending);
  if (ending.owes_verdict && leaves_verdict_open(judgement.outcome)) return {Outcome::failed, kNoVerdict};
  if (ending.owes_plan && leaves_verdict_open(judgement.outcome)) return {Outcome::failed, kNoPlan};
  return judgement;
}

std::optional<std::string> failed_check(std::vector<CheckResult> const& results) {
  auto const failed = std::ranges::find(results, false, &CheckResult::passed);
  if (failed == results.end()) return std::nullopt;
  std::string_view output = failed->output;
  output = output.substr(0, output.find_last_not_of(" \t\r\n") + 1);
  if (output.size() > kCheckOutput) output.remove_prefix(output.size() - kCheckOutput);
  while (!output.empty() && (static_cast<unsigned char>(output.front()) & 0xC0U) == 0x80U)
    output.remove_prefix(1);
  return "check \"" + failed->name + "\" failed" + (output.empty() ? "" : ":\n") + std::string{output};
}

bool are_green(std::vector<std::string> const& wanted, std::vector<CheckResult> const& results) {
  return !results.empty() && std::ranges::all_of(results, &CheckResult::passed) &&
         std::ranges::all_of(wanted, [&](std::string const& name) {
           return std::ranges::find(results, name, &CheckResult::name) != results.end();
         });
}

}  // namespace andon::core
