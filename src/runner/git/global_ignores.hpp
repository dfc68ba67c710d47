#pragma once

#include <string>

namespace andon::runner {

/// The ignore rules of the user that runs Andon: those of the file that `core.excludesFile` names in the
/// user's or the system's git configuration, else of `git/ignore` in the user's configuration directory
/// (gitignore(5)). Empty without any.
std::string global_ignores();

}  // namespace andon::runner
