#pragma once

#include <filesystem>

#include "core/model/run.hpp"
#include "runner/runs/run_spec.hpp"

namespace andon::runner {

// The starts of runs, for the case that their supervising process is killed. They lie in a folder of the data
// directory that no sandbox opens.

void keep_start(std::filesystem::path const& folder, core::RunId run, RunStart const& start);
/// An empty start when none was kept.
RunStart start_of(std::filesystem::path const& folder, core::RunId run);
void forget_start(std::filesystem::path const& folder, core::RunId run);

}  // namespace andon::runner
