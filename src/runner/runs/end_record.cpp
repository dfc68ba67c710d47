#include "runner/runs/end_record.hpp"

#include <algorithm>
#include <csignal>

#include "core/time/time_in_words.hpp"
#include "runner/output/failure_rule.hpp"

namespace andon::runner {
namespace {

std::optional<ErrorClass> from_exit_class(ExitClass meaning) {
  switch (meaning) {
    case ExitClass::ok: return std::nullopt;
    case ExitClass::fail: return ErrorClass::fail;
    case ExitClass::config: return ErrorClass::config;
    case ExitClass::auth: return ErrorClass::auth;
    case ExitClass::input: return ErrorClass::input;
    case ExitClass::http: return ErrorClass::http;
    case ExitClass::limit: return ErrorClass::limit;
    case ExitClass::overloaded: return ErrorClass::overloaded;
  }
  return ErrorClass::fail;
}

std::optional<ErrorClass> of_exit_code(RunSpec const& spec, int code) {
  auto const meaning = spec.exit.find(std::to_string(code));
  if (meaning != spec.exit.end()) return from_exit_class(meaning->second);
  return code == 0 ? std::nullopt : std::optional{ErrorClass::fail};
}

constexpr double kLongestWait = 366.0 * 86'400;  ///< seconds

/// Shells and agents exit with this number plus the signal that ended their child.
constexpr int kSignalBase = 128;

bool died_by_signal(RunSpec const& spec, core::Exit exit) {
  return exit.signal ||
         (exit.code.value_or(0) > kSignalBase && !spec.exit.contains(std::to_string(*exit.code)));
}

/// The class of a refusal by the provider. It takes precedence over all other facts.
std::optional<ErrorClass> of_provider(Summary const& summary) {
  if (summary.is_error == false) return std::nullopt;
  if (summary.api_status == 429) return ErrorClass::limit;
  if (summary.api_status == 529) return ErrorClass::overloaded;
  if (summary.api_status == 401 || summary.api_status == 403) return ErrorClass::auth;
  return summary.has_reached_limit() ? std::optional{ErrorClass::limit} : std::nullopt;
}

/// Classifies an end. Result events and exit codes are both unreliable, so a refusal of the provider counts
/// most, then the result event, then the wait status. Only a death by a signal outweighs a claim of success,
/// because some programs print it while they die.
std::optional<ErrorClass> classify(RunSpec const& spec, Summary const& summary, core::Exit exit) {
  if (auto const refused = of_provider(summary)) return refused;
  auto const of_code = died_by_signal(spec, exit) ? std::optional{ErrorClass::signal}
                                                  : of_exit_code(spec, exit.code.value_or(0));
  if (summary.is_error == true) return of_code && of_code != ErrorClass::signal ? of_code : ErrorClass::fail;
  if (of_code == ErrorClass::signal) return of_code;
  if (summary.is_error == false) return std::nullopt;
  if (of_code) return of_code;
  return spec.output.kind == OutputKind::jsonl ? std::optional{ErrorClass::no_result} : std::nullopt;
}

/// Whether the model's service refused the run. No output of the program outweighs that.
bool is_refusal(std::optional<ErrorClass> class_) {
  return class_ == ErrorClass::auth || class_ == ErrorClass::limit || class_ == ErrorClass::overloaded;
}

FailureRule const* known_failure(std::vector<FailureRule> const& rules, Summary const& summary) {
  return failure_in(rules, summary.error + "\n" + summary.output_tail);
}

std::string line_with(FailureRule const& rule, std::string_view text) {
  while (!text.empty()) {
    auto const line = text.substr(0, text.find('\n'));
    if (failure_in({rule}, line)) return std::string{line};
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
  return {};
}

core::Instant from_unix(double seconds) {
  constexpr double kLatest = 4'102'444'800;  // the year 2100; a greater value is in milliseconds or invalid
  if (seconds > kLatest) seconds /= 1000;
  return core::Instant{core::Duration{static_cast<std::int64_t>(std::clamp(seconds, 0.0, kLatest) * 1000)}};
}

/// The moment that a number or a text of the program names.
std::optional<core::Instant> moment_of(LimitReport const& limit, core::LocalClock const& clock) {
  if (limit.resets_at) return from_unix(*limit.resets_at);
  if (limit.resets_in)
    return clock.now +
           core::Duration{static_cast<std::int64_t>(std::clamp(*limit.resets_in, 0.0, kLongestWait) * 1000)};
  return core::time_in_words(limit.words, clock);
}

std::vector<core::UsageWindow> windows_of(Summary const& summary, core::LocalClock const& clock) {
  std::vector<core::UsageWindow> out;
  for (auto const& limit : summary.limits)
    out.push_back({limit.window, moment_of(limit, clock), limit.used, limit.is_reached});
  return out;
}

/// When the usage limit of a run ends: as its events say, or else the words of its error.
std::optional<core::Instant> end_of_limit(EndRecord const& record, FailureRule const* known,
                                          core::LocalClock const& clock) {
  std::optional<core::Instant> end;
  for (auto const& window : record.windows)
    if (window.reached) end = std::max(end, window.ends);
  if (!end && known) end = core::time_in_words(words_of_reset(*known, record.error), clock);
  return end ? end : core::time_in_words(record.error, clock);
}

}  // namespace

StopReason reason_of_signal(int signal) {
  if (signal == SIGUSR1) return StopReason::stopped;
  return signal == SIGUSR2 ? StopReason::short_of_memory : StopReason::killed;
}

EndRecord make_end_record(RunSpec const& spec, Summary const& summary, core::Exit exit,
                          std::optional<StopReason> stopped, FatalRule const* fatal,
                          core::LocalClock const& clock) {
  EndRecord record;
  record.run = spec.run;
  record.task = spec.task;
  record.epoch = spec.epoch;
  record.exit = exit;
  record.stopped = stopped;
  record.error_class = fatal ? from_exit_class(fatal->class_) : classify(spec, summary, exit);
  auto const* known = record.error_class ? known_failure(spec.failures, summary) : nullptr;
  if (known && !fatal && !is_refusal(record.error_class)) record.error_class = from_exit_class(known->class_);
  if (record.error_class == ErrorClass::auth) record.remedy = spec.sign_in;
  bool const claim_is_void =
      !stopped && record.error_class == ErrorClass::signal && summary.is_error == false;
  if (stopped && record.error_class == ErrorClass::signal)
    record.error_class.reset();  // Andon sent the signal
  record.error = summary.error;
  if (known && !known->remedy.empty()) record.remedy = known->remedy;
  if (known && record.error.empty()) record.error = line_with(*known, summary.output_tail);
  if (!claim_is_void) record.is_error = summary.is_error;
  record.status = summary.status;
  record.result = summary.result;
  record.unfinished = summary.unfinished;
  record.output_tail = summary.output_tail;
  record.session = summary.session;
  record.model = summary.model;
  record.usage = summary.usage;
  record.session_usage = summary.session_usage;
  record.windows = windows_of(summary, clock);
  if (record.error_class == ErrorClass::limit) record.limit_resets_at = end_of_limit(record, known, clock);
  for (auto& window : record.windows)
    if (window.reached && !window.ends) window.ends = record.limit_resets_at;
  return record;
}

}  // namespace andon::runner
