#pragma once

#include <filesystem>
#include <string>

#include "core/model/task.hpp"
#include "os/data/data_directory.hpp"

namespace andon::runner {

/// Where the work trees of a board lie: `<data>/work/BOARD`.
std::filesystem::path work_folder(os::DataDirectory const& data, std::string const& board);

/// The work tree of a task: the one it has, whatever its title was then, else the one it would get.
std::filesystem::path work_tree_of(os::DataDirectory const& data, std::string const& board,
                                   core::Task const& task);

}  // namespace andon::runner
