#pragma once

#include <filesystem>
#include <string>

#include "core/model/task.hpp"
#include "os/data/data_directory.hpp"

namespace andon::runner {

/// The folder of a board's work trees: `<data>/work/BOARD`.
std::filesystem::path work_folder(os::DataDirectory const& data, std::string const& board);

/// The work tree of a task: the existing one, even if the title has changed, else the path for a new one.
std::filesystem::path work_tree_of(os::DataDirectory const& data, std::string const& board,
                                   core::Task const& task);

/// The lock that is held while a work tree is made, or given to a person.
std::filesystem::path lock_of_tree(std::filesystem::path const& directory);

}  // namespace andon::runner
