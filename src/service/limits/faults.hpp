#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/model/board.hpp"
#include "core/model/fault.hpp"
#include "core/model/run.hpp"
#include "service/requests.hpp"

namespace andon::service {

// A fault of a board or a machine is one question for all its tasks: nothing is started there, no attempt
// counts, and the tasks go on when a person answers it or when it is over.

struct Faults {
  std::vector<core::HeldFault> items;
};
void describe(auto& field, Faults const*) {
  field(&Faults::items, "items", "Boards and machines on which nothing starts, and why", core::always);
}

struct FaultRequest {
  core::FaultScope scope = core::FaultScope::board;
  std::string name;
};
void describe(auto& field, FaultRequest const*) {
  field(&FaultRequest::scope, "scope", "board or machine", core::required);
  field(&FaultRequest::name, "name", "Name of the board, or of the server or runner", core::required);
}

core::Result<Faults> list_faults(OperationContext& ctx, NoRequest const&);
/// Says that the fault is mended: work starts again at once. Answers with the fault.
core::Result<core::HeldFault> retry_fault(OperationContext& ctx, FaultRequest const& request);

/// Keeps the fault that a run met, or forgets the one of its board or machine when the run went past it.
void learn_of_fault(OperationContext& ctx, core::Run const& run, std::optional<core::Fault> const& met);
/// The settings of a board were changed in a way that may have mended its fault.
void forget_fault_of_board(OperationContext& ctx, std::string const& board);

/// The faults because of which nothing starts on some boards and machines now.
std::vector<core::HeldFault> held_faults(OperationContext& ctx);
/// The one of these that is of that board or machine, or null.
core::HeldFault const* fault_among(std::vector<core::HeldFault> const& faults, core::FaultScope scope,
                                   std::string_view name);

}  // namespace andon::service
