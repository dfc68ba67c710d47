#include "runner/finish_request.hpp"

#include <array>

namespace andon::runner {
namespace {

/// What our own reason to stop a run is called on the board; empty where it says nothing about the outcome.
constexpr std::array<std::string_view, kStopReasonNames.size()> kBecause{
    "killed",     // killed
    "",           // stopped
    "lost",       // stale
    "killed",     // cancelled
    "lost",       // lease_lost
    "timed_out",  // total_time
    "stale",      // no_first_event
    "stale",      // silence
    "fatal",      // fatal
};

std::string because(EndRecord const& record) {
  if (record.error_class == ErrorClass::limit) return "rate_limited";
  if (record.error_class == ErrorClass::spawn_failed) return "unfit";
  if (record.error_class == ErrorClass::workspace) return "workspace";
  if (!record.stopped) return {};
  return std::string{kBecause[static_cast<std::size_t>(*record.stopped)]};
}

}  // namespace

service::FinishRunRequest finish_request(EndRecord const& record) {
  service::FinishRunRequest out;
  out.id = record.run;
  out.stopped_because = because(record);
  out.has_result = record.is_error.has_value();
  out.result_is_error = record.is_error.value_or(false);
  out.result = !record.result.empty()  ? record.result
               : !record.error.empty() ? record.error
                                       : record.output_tail;
  out.exit = record.exit.value_or(core::Exit{});
  out.session = record.session;
  out.branch = record.branch;
  out.commits = record.commits;
  out.files_changed = record.files_changed;
  out.usage = record.usage;
  out.resets_at = record.limit_resets_at;
  out.checks = record.checks;
  out.base = record.base;
  out.head = record.head;
  return out;
}

}  // namespace andon::runner
