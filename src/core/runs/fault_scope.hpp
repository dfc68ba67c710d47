#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/model/fault.hpp"
#include "core/model/run.hpp"

namespace andon::core {

/// The step of a run that failed.
enum class FaultPlace {
  repository,  ///< the repository of the board could not be read
  set_up,      ///< a command of the set-up
  check,       ///< a check, after the agent
  agent        ///< the agent itself
};
inline constexpr std::size_t kFaultPlaces = 4;

/// The facts that decide whom a failure concerns.
struct FaultFacts {
  FaultPlace place = FaultPlace::agent;
  bool is_of_work = true;     ///< an agent's work may be the cause: it fails nowhere else
  bool is_disk_full = false;  ///< as the machine says
  std::string_view words;     ///< a sentence, and the end of the output
};

/// The fault that a failure shows; nothing when it is the task's own. Words of programs count only where no
/// agent could have chosen them.
std::optional<Fault> fault_of(FaultFacts const& facts);

/// True when a check fails in the same way in two places: by the same exit, with the same last line apart
/// from its numbers.
bool fails_alike(CheckResult const& one, CheckResult const& other);

/// The time for which a fault that was met `times` times in a row holds back work; nothing where only a
/// person ends it. A set-up costs little and is tried again for ever, from 1 minute to 1 hour apart. A check
/// is reached only through the work of an agent, so that it is tried again twice.
std::optional<Duration> hold_of_fault(std::string_view cause, int times);

}  // namespace andon::core
