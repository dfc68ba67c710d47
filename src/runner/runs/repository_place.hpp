#pragma once

#include <filesystem>
#include <string>

#include "os/data/data_directory.hpp"

namespace andon::runner {

/// The clones of remotes: `DATA/clones`.
std::filesystem::path clones_of(os::DataDirectory const& data);

/// The folder of one clone: `DATA/clones/DIGEST` for a clone URL, `DATA/repositories/DIGEST` for a path. It
/// need not exist.
std::filesystem::path clone_folder(os::DataDirectory const& data, std::string const& repo);

/// The directory with Andon's clone of a board's repository; empty without one. Work is fetched into it,
/// reviewed, compared and joined there. `Clone` makes it.
std::string repository_directory(std::string const& repo, os::DataDirectory const& data);

/// The objects of the clone in that directory, which the repositories of runs borrow.
std::filesystem::path objects_of_clone(std::string const& repo);

/// The directory with the files that a board copies into its work trees: its repository, or
/// `DATA/copies/BOARD` for a clone, which holds nothing but what the remote has.
std::string directory_of_copies(std::string const& repo, std::string const& board,
                                os::DataDirectory const& data);

}  // namespace andon::runner
