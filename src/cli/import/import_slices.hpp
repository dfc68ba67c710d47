#pragma once

#include <cstddef>
#include <vector>

#include "cli/import/import_file.hpp"

namespace andon::cli {

/// The number of tasks in one request. Other requests wait while it runs.
inline constexpr std::size_t kImportedAtOnce = 250;

/// Places of the tasks of a file, in the requests that bring them: after what they depend on and, where that
/// can be, after their parents. Few tasks come by one request in the order of the file. Refuses tasks that
/// wait for each other.
core::Result<std::vector<std::vector<std::size_t>>> import_slices(ImportFile const& file);

}  // namespace andon::cli
