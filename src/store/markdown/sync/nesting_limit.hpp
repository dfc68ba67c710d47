#pragma once

#include <vector>

#include "store/markdown/sync/loaded_file.hpp"

namespace andon::store::markdown {

/// Leaves out files that are nested too deep, so that no walk along parents is endless. The tasks have the
/// ids of the store.
void leave_out_too_deep(SyncRun& run, std::vector<LoadedFile>& files);

}  // namespace andon::store::markdown
