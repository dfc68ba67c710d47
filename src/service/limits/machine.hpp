#pragma once

#include <optional>
#include <string>

#include "core/model/board.hpp"
#include "core/model/run.hpp"
#include "core/model/worker.hpp"
#include "core/tasks/pick.hpp"
#include "service/requests.hpp"

namespace andon::service {

/// The machine of a server with a runner, as its runner measured it.
struct MachineReport {
  std::int64_t memory = 0;  ///< bytes in all; 0 where the machine does not tell
  bool is_busy = false;     ///< only expedite work starts
  std::string reason;       ///< why, as a sentence
  bool operator==(MachineReport const&) const = default;
};
void describe(auto& field, MachineReport const*) {
  field(&MachineReport::memory, "memory", "Memory in all, in bytes", core::set_only);
  field(&MachineReport::is_busy, "is_busy", "Whether only expedite work starts", core::always);
  field(&MachineReport::reason, "reason", "Why");
}

/// Keeps the report of this server's runner. Picks that wait look at it again.
core::Result<MachineReport> report_machine(OperationContext& ctx, MachineReport const& report);
MachineReport machine_of(OperationContext& ctx);

/// Whether tasks of the class start even on a busy machine.
bool is_expedite(core::ServiceClass const& service_class);

/// Why the machine has no room for one more run of the worker on the board; nothing when it has. The memory
/// of a run is its limit, or else the peak that runs of its worker had. The only run always has room.
std::optional<std::string> why_no_room(OperationContext& ctx, core::Board const& board,
                                       core::Worker const& worker);

/// Keeps the peak of a run for the runs of its worker after it. An older and higher peak fades.
void remember_peak(OperationContext& ctx, core::Run const& run);
/// Whether the run used so much memory that waiting for others does not help.
bool needs_whole_machine(OperationContext& ctx, core::Run const& run);

}  // namespace andon::service
