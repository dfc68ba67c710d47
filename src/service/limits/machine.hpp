#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/model/board.hpp"
#include "core/model/run.hpp"
#include "core/model/worker.hpp"
#include "core/tasks/pick.hpp"
#include "service/requests.hpp"

namespace andon::service {

/// A run that stands still because its machine has too little memory.
struct FrozenRun {
  core::RunId run = 0;
  std::optional<core::Instant> since{};  ///< by the server
  bool operator==(FrozenRun const&) const = default;
};
void describe(auto& field, FrozenRun const*) {
  field(&FrozenRun::run, "run", "Number of the run", core::required);
  field(&FrozenRun::since, "since", "When the server was first told of it");
}

/// The live runs of a server or of several, and the memory that they may come to use.
struct ReservedMemory {
  std::int64_t runs = 0;
  std::int64_t memory = 0;  ///< bytes
  bool operator==(ReservedMemory const&) const = default;
};
void describe(auto& field, ReservedMemory const*) {
  field(&ReservedMemory::runs, "runs", "How many runs are live", core::always);
  field(&ReservedMemory::memory, "memory", "Memory that they may come to use, in bytes", core::always);
}

/// The machine of a server with a runner, as its runner measured it.
struct MachineReport {
  std::int64_t memory = 0;  ///< bytes in all; 0 where the machine does not tell
  bool is_busy = false;     ///< only expedite work starts
  std::string reason;       ///< why, as a sentence
  std::vector<FrozenRun> frozen{};
  ReservedMemory neighbours{};  ///< of the other servers and runners on the machine
  bool operator==(MachineReport const&) const = default;
};
void describe(auto& field, MachineReport const*) {
  field(&MachineReport::memory, "memory", "Memory in all, in bytes", core::set_only);
  field(&MachineReport::is_busy, "is_busy", "Whether only expedite work starts", core::always);
  field(&MachineReport::reason, "reason", "Why");
  field(&MachineReport::frozen, "frozen", "Runs that stand still until more memory is free");
  field(&MachineReport::neighbours, "neighbours", "Runs of other servers on the machine", core::set_only);
}

/// Keeps the report of this server's runner, and returns what its runs reserve. Picks that wait look at it
/// again. The time for which a run stood still does not count as silence.
core::Result<ReservedMemory> report_machine(OperationContext& ctx, MachineReport const& said);
MachineReport machine_of(OperationContext& ctx);

/// Since when the run stands still because its machine has too little memory; nothing for one that goes on.
std::optional<core::Instant> stands_still_since(OperationContext& ctx, core::Run const& run);
/// A person is asked to look at a run that stands still for longer.
inline constexpr core::Duration kLongestStandstill = std::chrono::minutes{30};

/// Whether tasks of the class start even on a busy machine.
bool is_expedite(core::ServiceClass const& service_class);

/// Why the machine has no room for one more run of the worker on the board; nothing when it has. The memory
/// of a run is its limit, or else the peak that runs of its worker had, or of its agent profile, or of its
/// board. The runs of neighbours count, too. The only run on the machine always has room.
std::optional<std::string> why_no_room(OperationContext& ctx, core::Board const& board,
                                       core::Worker const& worker);

/// Keeps the peak of a run for later runs of its worker, its agent profile and its board. An older and higher
/// peak fades.
void remember_peak(OperationContext& ctx, core::Run const& run);
/// Whether the run used so much memory that waiting for others does not help.
bool needs_whole_machine(OperationContext& ctx, core::Run const& run);

}  // namespace andon::service
