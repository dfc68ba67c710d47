#pragma once

#include <filesystem>
#include <string>

#include "runner/git/git.hpp"

namespace andon::runner {

/// Keeps the packs of a clone few, and objects from being there often. No object is lost, also none that no
/// ref reaches, because repositories of runs borrow them. `list` is a path for a file of its own. The caller
/// holds the clone's fetch lock. Returns a sentence when git cannot; every object is there also then.
std::string tidy_packs(Git const& clone, std::filesystem::path const& list);

}  // namespace andon::runner
