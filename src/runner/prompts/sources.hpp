#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "api/workspace_port.hpp"

namespace andon::runner {

/// Where the commands of sources run if their board has no repository, and their environment.
struct SourcePlace {
  std::filesystem::path directory;
  std::span<std::string const> own;  ///< the environment from which the commands get a selection
  std::filesystem::path andon_directory;
};

/// Runs the commands one after the other, each for at most 30 s. Keeps the last 8 KiB of each output,
/// redacted. A failed command returns its failure as text, because a planner can work without one source.
api::SourceTexts run_sources(service::SourceQuestion const& question, SourcePlace const& place);

}  // namespace andon::runner
