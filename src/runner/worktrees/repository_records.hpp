#pragma once

#include <expected>
#include <filesystem>
#include <string>

#include "core/model/work_place.hpp"
#include "os/data/file_lock.hpp"

namespace andon::runner {

/// Andon's own files about one repository. They lie in the data directory, because an agent may write all of
/// a repository. The folder is named after the repository's real path.
class RepositoryRecords {
 public:
  /// `folder` as in `GitUse::records`.
  RepositoryRecords(std::filesystem::path const& folder, core::WorkPlace const& place);

  /// The turn to make a work tree. A sentence when another process keeps it for too long.
  std::expected<os::FileLock, std::string> take_turn(core::Duration patience = kTurnPatience) const;

 private:
  static constexpr core::Duration kTurnPatience{120'000};

  std::filesystem::path folder_;
};

}  // namespace andon::runner
