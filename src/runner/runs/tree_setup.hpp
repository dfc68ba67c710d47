#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/model/board.hpp"
#include "os/data/data_directory.hpp"

namespace andon::runner {

/// The settings of a board by which its work trees are made ready.
struct TreeSetup {
  std::string repo;       ///< from which files are copied
  bool is_clone = false;  ///< `repo` is only a directory with these files, and no repository
  std::vector<core::Command> commands;
  std::optional<core::SetupCache> cache;
  core::Duration limit{600'000};  ///< of one command
  std::vector<std::string> copy;
  int ports = 0;
  std::string records;  ///< the directory of all `TreeRecord`s
  std::string kept;     ///< the directory of what set-ups of this board have made
};
void describe(auto& field, TreeSetup const*) {
  field(&TreeSetup::repo, "repo");
  field(&TreeSetup::is_clone, "is_clone");
  field(&TreeSetup::commands, "commands");
  field(&TreeSetup::cache, "cache");
  field(&TreeSetup::limit, "limit");
  field(&TreeSetup::copy, "copy");
  field(&TreeSetup::ports, "ports");
  field(&TreeSetup::records, "records");
  field(&TreeSetup::kept, "kept");
}

TreeSetup tree_setup_of(core::Board const& board, os::DataDirectory const& data);

/// The directory of all `TreeRecord`s: no sandbox opens it.
std::filesystem::path tree_records(os::DataDirectory const& data);

}  // namespace andon::runner
