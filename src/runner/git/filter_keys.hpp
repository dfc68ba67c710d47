#pragma once

#include <filesystem>

#include "runner/git/held_filters.hpp"

namespace andon::runner {

/// Copies the keys of the filters from one git directory to another. Git-crypt reads its keys in the git
/// directory of the work tree alone. Nothing for filters without keys. Only where agents cannot write.
void give_filter_keys(HeldFilters const& filters, std::filesystem::path const& from,
                      std::filesystem::path const& to);

}  // namespace andon::runner
