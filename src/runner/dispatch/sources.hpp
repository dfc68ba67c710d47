#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "api/workspace_port.hpp"

namespace andon::runner {

/// The directory and the environment of the commands of sources.
struct SourcePlace {
  std::filesystem::path data;  ///< the data directory; the place of commands whose board has no repository
  std::span<std::string const> own;  ///< the environment from which the commands get a selection
  std::filesystem::path program;     ///< the `andon` that supervises them
};

/// Runs the commands one after the other, each for at most 30 s. Keeps the last 8 KiB of each output,
/// redacted. A failed command returns its failure as text, because a planner can work without one source.
/// A repository holds what agents wrote, so commands in it get a sandbox if the kernel can make one, in which
/// they only read the repository.
api::SourceTexts run_sources(service::SourceQuestion const& question, SourcePlace const& place);

}  // namespace andon::runner
