#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "os/data/data_directory.hpp"
#include "runner/profiles/profile.hpp"
#include "runner/prompts/prompt.hpp"
#include "runner/runs/run_spec.hpp"
#include "service/runs/run_brief.hpp"

namespace andon::runner {

/// Where a run works, what its agent is told, and which conversation it goes on with.
struct Assignment {
  PromptParts prompt;
  std::filesystem::path cwd;               ///< empty for a directory of the run's own
  std::optional<WorkspaceSpec> workspace;  ///< a work tree to make and to work in, instead of `cwd`
  std::string session;                     ///< to go on with, or empty
  core::Usage used_before;                 ///< by earlier runs of that session
};

/// Reads role document and memory from the data directory. A conversation goes on only with the profile it
/// was begun with, and only where it was begun, since programs keep conversations by directory; a run that
/// has no place of its own goes there. Refuses a role document that is not there.
core::Result<Assignment> assignment_of(service::RunBrief const& brief, Profile const& profile,
                                       os::DataDirectory const& data);

/// What an agent is told, divided as its profile takes it.
struct AgentInput {
  std::string role;  ///< apart from the prompt; empty where it stands at its beginning
  std::string prompt;
};
AgentInput told(PromptRule const& rule, PromptParts const& parts);

}  // namespace andon::runner
