#pragma once

#include <string>
#include <vector>

#include "core/model/worker.hpp"
#include "service/requests.hpp"

namespace andon::service {

struct FreezeRequest {
  std::string board;
  std::string worker;
};
void describe(auto& field, FreezeRequest const*) {
  field(&FreezeRequest::board, "board", "Only the agents on this board");
  field(&FreezeRequest::worker, "worker",
        "Only the agents of this worker; without a board and a worker all agents");
}

/// The boards and workers whose agents are frozen.
struct Frozen {
  bool everything = false;
  std::vector<std::string> boards;
  std::vector<std::string> workers;
  std::string by;  ///< the actor of the last freeze
  std::optional<core::Instant> since;
  bool operator==(Frozen const&) const = default;
};
void describe(auto& field, Frozen const*) {
  field(&Frozen::everything, "everything", "Whether all agents are", core::always);
  field(&Frozen::boards, "boards", "Boards whose agents are", core::always);
  field(&Frozen::workers, "workers", "Workers whose agents are", core::always);
  field(&Frozen::by, "by", "Who froze the last of them");
  field(&Frozen::since, "since", "When that was");
}

core::Result<Frozen> list_frozen(OperationContext& ctx, NoRequest const&);
/// Makes agents stand still where they are: their processes are stopped, their claims are held, their clocks
/// stand, and nothing new is started.
core::Result<Frozen> freeze(OperationContext& ctx, FreezeRequest const& request);
/// Lets them go on. Without a board and a worker everything goes on, whatever was frozen.
core::Result<Frozen> thaw(OperationContext& ctx, FreezeRequest const& request);

bool is_frozen(Frozen const& frozen, std::string_view board, std::string_view worker);
Frozen frozen_now(OperationContext& ctx);

}  // namespace andon::service
