#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "os/data/data_directory.hpp"
#include "runner/profiles/profile.hpp"
#include "runner/prompts/prompt.hpp"
#include "runner/runs/run_spec.hpp"
#include "service/runners/run_documents.hpp"
#include "service/runs/run_brief.hpp"

namespace andon::runner {

/// The directory of a run, the text for its agent, and the conversation that it resumes.
struct Assignment {
  PromptParts prompt;
  std::filesystem::path cwd;               ///< empty for a new directory of the run
  bool continues_in_run = false;           ///< `cwd` is the directory of an earlier run of the conversation
  std::optional<WorkspaceSpec> workspace;  ///< a work tree to make and use instead of `cwd`
  std::string session;                     ///< the session to resume, or empty
  core::Usage used_before;                 ///< by earlier runs of that session
};

/// The role document and the memory of a worker in a data directory. Refuses a missing role document.
core::Result<service::RunDocuments> documents_for(core::Worker const& worker,
                                                  std::vector<std::string> const& tags,
                                                  std::filesystem::path const& root);

/// The assignment with these documents, or with those of the data directory. A conversation is resumed only
/// with its own profile and in its own directory, since programs store conversations by directory. A run
/// without a work tree or directory uses that directory. The directory comes from the server's record, since
/// an agent may write to all files of its run.
core::Result<Assignment> assignment_of(service::RunBrief const& brief, Profile const& profile,
                                       os::DataDirectory const& data, service::RunDocuments documents);
core::Result<Assignment> assignment_of(service::RunBrief const& brief, Profile const& profile,
                                       os::DataDirectory const& data);

/// The text for an agent, divided as its profile requires.
struct AgentInput {
  std::string role;  ///< apart from the prompt; empty when the prompt contains it
  std::string prompt;
};
AgentInput told(Profile const& profile, PromptParts const& parts);

}  // namespace andon::runner
