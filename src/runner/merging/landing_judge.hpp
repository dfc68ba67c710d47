#pragma once

#include <string>
#include <vector>

#include "core/model/land_limits.hpp"
#include "runner/merging/changed_entries.hpp"
#include "runner/worktrees/repository.hpp"
#include "service/runs/landing_queue.hpp"

namespace andon::runner {

/// The outcome of the gate before a landing; all empty for work that may land.
struct GateVerdict {
  std::string trouble{};                      ///< why it could not be measured now
  std::string refusal{};                      ///< why it may never land
  std::vector<core::LandFinding> findings{};  ///< all of them, with what counts as their content
  std::vector<ChangedEntry> checks{};         ///< the files of the checks that the work changes
};

/// Judges the joined work under the limits of its board. `secrets` are values that no commit may hold.
GateVerdict judge_change(service::LandingPlace const& place, Repository const& repository,
                         std::string const& joined, std::vector<std::string> const& secrets);

/// The limits that hold for the work of that place.
core::LandLimits limits_of(service::LandingPlace const& place);

/// The findings that a person is to be asked about, with a digest as their content: none when all of them
/// were allowed for this work as they are, else all of them. Their lines hold none of these secrets, and
/// nothing that looks like one.
std::vector<core::LandFinding> questions_of(std::vector<core::LandFinding> found,
                                            core::Landing const& landing,
                                            std::vector<std::string> const& secrets);

}  // namespace andon::runner
