#pragma once

#include <filesystem>
#include <string>

#include "os/data/data_directory.hpp"

namespace andon::runner {

/// The clones of a data directory: `DATA/clones`.
std::filesystem::path clones_of(os::DataDirectory const& data);

/// The folder of one clone: `DATA/clones/DIGEST`. It need not exist.
std::filesystem::path clone_folder(os::DataDirectory const& data, std::string const& url);

/// The directory with the repository of a board: `repo` itself, or the clone of a clone URL. Everything that
/// opens a board's repository asks here. A clone is made by `CloneCache`.
std::string repository_directory(std::string const& repo, os::DataDirectory const& data);

/// The directory with the files that a board copies into its work trees: its repository, or
/// `DATA/copies/BOARD` for a clone, which holds nothing but what the remote has.
std::string directory_of_copies(std::string const& repo, std::string const& board,
                                os::DataDirectory const& data);

}  // namespace andon::runner
