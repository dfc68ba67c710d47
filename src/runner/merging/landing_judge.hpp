#pragma once

#include <string>
#include <vector>

#include "core/model/land_limits.hpp"
#include "runner/worktrees/repository.hpp"
#include "service/runs/landing_queue.hpp"

namespace andon::runner {

/// The outcome of the gate before a landing; all empty for work that may land.
struct GateVerdict {
  std::string trouble{};                      ///< why it could not be measured now
  std::string refusal{};                      ///< why it may never land
  std::vector<core::LandFinding> findings{};  ///< to be answered by a person, all of them
};

/// Judges the joined work under the limits of its board. What a person has allowed for this work raises no
/// question again, unless the work exceeds more than that now. `secrets` are values that no commit may hold.
GateVerdict judge_change(service::LandingPlace const& place, Repository const& repository,
                         std::string const& joined, std::vector<std::string> const& secrets);

}  // namespace andon::runner
