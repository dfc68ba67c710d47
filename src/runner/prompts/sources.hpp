#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "api/workspace_port.hpp"

namespace andon::runner {

/// Where the commands of sources run when their board has no repository, and what they are given.
struct SourcePlace {
  std::filesystem::path directory;
  std::span<std::string const> own;  ///< the environment what they get is chosen from
  std::filesystem::path andon_directory;
};

/// Runs the commands one after the other, each for 30 s at most, and keeps the last 8 KiB each printed,
/// redacted. One that fails says so in its text: a planner without one number is better than none.
api::SourceTexts run_sources(service::SourceQuestion const& question, SourcePlace const& place);

}  // namespace andon::runner
