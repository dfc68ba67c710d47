#include "runner/supervision/run_use.hpp"

#include <csignal>

namespace andon::runner {
namespace {

std::string more_than(std::optional<core::ByteSize> const& limit) {
  return ", more than the " + core::rounded(limit.value_or(core::ByteSize{})) +
         " that it may; give it more, or smaller work";
}

/// The reason that the facts give for an end without one.
std::optional<StopReason> reason_for(EndRecord const& record, RunUse const& use,
                                     core::ResourceLimits const& limits) {
  auto const signal = record.exit.value_or(core::Exit{}).signal.value_or(0);
  bool const is_over = limits.memory && use.used.peak_memory > limits.memory->bytes;
  if (is_over || use.ran_out_of_memory) return StopReason::over_limit;
  if (signal == SIGXFSZ && limits.disk) return StopReason::over_limit;
  if (signal == SIGKILL && use.machine_ran_out) return StopReason::short_of_memory;
  return std::nullopt;
}

std::string sentence_for(EndRecord const& record, RunUse const& use, core::ResourceLimits const& limits) {
  auto const used = core::rounded({use.used.peak_memory}) + " of memory";
  if (record.stopped == StopReason::short_of_memory)
    return "the machine had no memory left; its processes used " + used;
  if (!use.excess.empty()) return use.excess;
  if (record.stopped != StopReason::over_limit) return {};
  auto const signal = record.exit.value_or(core::Exit{}).signal.value_or(0);
  if (signal == SIGXFSZ) return "wrote too large a file" + more_than(limits.disk);
  return "used " + used + more_than(limits.memory);
}

}  // namespace

void add_use(EndRecord& record, RunUse const& use, core::ResourceLimits const& limits) {
  record.used = use.used;
  if (!record.stopped) record.stopped = reason_for(record, use, limits);
  record.excess = sentence_for(record, use, limits);
}

}  // namespace andon::runner
