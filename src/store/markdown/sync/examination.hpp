#pragma once

#include <filesystem>
#include <vector>

#include "core/time/time.hpp"
#include "store/contract/examination.hpp"
#include "store/engine/index_opener.hpp"

namespace andon::store::markdown {

/// Examines a board of files. It reads all files itself, because the index is one of the things it examines.
std::vector<Finding> examine(std::filesystem::path const& root, core::Instant now,
                             engine::IndexOpener const& indexes);

}  // namespace andon::store::markdown
