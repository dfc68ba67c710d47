#include "runner/supervision/finish_request.hpp"

#include <algorithm>
#include <array>

namespace andon::runner {
namespace {

/// The server's word for each reason to stop a run; nothing where the server has no use for the reason.
constexpr std::array<std::optional<core::StopReason>, kStopReasonNames.size()> kBecause{
    core::StopReason::killed,           // killed
    std::nullopt,                       // stopped
    core::StopReason::lost,             // stale
    core::StopReason::killed,           // cancelled
    core::StopReason::lost,             // lease_lost
    core::StopReason::timed_out,        // total_time
    core::StopReason::stale,            // no_first_event
    core::StopReason::stale,            // silence
    core::StopReason::fatal,            // fatal
    core::StopReason::reported,         // reported
    core::StopReason::over_limit,       // over_limit
    core::StopReason::short_of_memory,  // short_of_memory
};

/// Whether a further attempt of this worker would fail in the same way until a person acts.
bool is_unfit(EndRecord const& record) {
  if (record.error_class == ErrorClass::spawn_failed) return true;
  bool const by_itself = !record.stopped || record.stopped == StopReason::fatal;
  return by_itself && (record.error_class == ErrorClass::auth || record.error_class == ErrorClass::config);
}

std::optional<core::StopReason> because(EndRecord const& record) {
  if (record.fault) return core::StopReason::fault;
  if (record.error_class == ErrorClass::limit) return core::StopReason::rate_limited;
  if (record.error_class == ErrorClass::overloaded) return core::StopReason::overloaded;
  if (is_unfit(record)) return core::StopReason::unfit;
  if (record.error_class == ErrorClass::workspace) return core::StopReason::workspace;
  return record.stopped ? kBecause[static_cast<std::size_t>(*record.stopped)] : std::nullopt;
}

/// The first line that is not blank.
std::string first_filled_line(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  auto const line = text.substr(0, text.find_first_of("\r\n"));
  return std::string{line.substr(0, line.find_last_not_of(" \t") + 1)};
}

std::string why_unfit(EndRecord const& record) {
  auto const detail = record.error.empty() ? record.output_tail : record.error;
  auto const words = first_filled_line(detail);
  auto const because = (words.empty() ? std::string{} : ": " + words) +
                       (record.remedy.empty() ? std::string{} : "; " + record.remedy);
  if (record.error_class == ErrorClass::auth)
    return "its agent is not signed in, or may not use its model" + because;
  if (record.error_class == ErrorClass::config)
    return "its agent refuses its arguments or settings" + because;
  return record.error;
}

/// The result text. Output on the way is no result when a program with a protocol reported none.
std::string result_of(EndRecord const& record) {
  if (record.fault) return record.fault->text;
  if (is_unfit(record)) return why_unfit(record);
  if (record.error_class == ErrorClass::workspace) return record.error;
  if (record.error_class == ErrorClass::no_result) return {};
  if (!record.result.empty()) return record.result;
  return record.error.empty() ? record.output_tail : record.error;
}

}  // namespace

service::FinishRunRequest finish_request(EndRecord const& record) {
  service::FinishRunRequest out;
  out.id = record.run;
  out.stopped_because = because(record);
  out.has_result = record.is_error.has_value();
  out.result_is_error = record.is_error.value_or(false);
  out.result = result_of(record);
  out.unfinished = record.unfinished;
  out.exit = record.exit.value_or(core::Exit{});
  out.session = record.session;
  out.branch = record.branch;
  out.commits = record.commits;
  out.files_changed = record.files_changed;
  out.left_out = record.left_out;
  out.left_out_count = record.left_out_count;
  out.remarks = record.remarks;
  out.usage = record.usage;
  out.resets_at = record.limit_resets_at;
  out.windows = record.windows;
  out.peak_memory = record.used.peak_memory;
  if (record.used.cpu_time > core::Duration{}) out.cpu_time = record.used.cpu_time;
  out.excess = record.excess;
  out.fault = record.fault;
  out.checks = record.checks;
  out.base = record.base;
  out.head = record.head;
  out.diff_size = record.diff_size;
  return out;
}

}  // namespace andon::runner
