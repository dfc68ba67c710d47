#pragma once

#include <expected>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/model/work_place.hpp"
#include "os/data/file_lock.hpp"
#include "runner/runs/run_spec.hpp"

namespace andon::runner {

/// Andon's own files about one repository. They lie in the data directory, because an agent may write all of
/// a repository. The folder is named after the repository's real path.
class RepositoryRecords {
 public:
  /// `folder` as in `GitUse::records`; it must not be empty.
  RepositoryRecords(std::filesystem::path const& folder, core::WorkPlace const& place);

  /// The turn to make work trees and to forget removed ones: git reads all trees meanwhile, and fails at one
  /// that another process makes or removes. A sentence when another process keeps the turn for too long.
  std::expected<os::FileLock, std::string> take_turn(core::Duration patience = kTurnPatience) const;

  std::filesystem::path lock_file() const { return folder_ / "lock"; }

  /// Keeps the outlying parts of the repository, unless they are known already.
  void keep_outlying(std::vector<std::string> const& parts) const;
  /// Nothing before the first run in the repository.
  std::optional<std::vector<std::string>> outlying() const;
  std::filesystem::path outlying_file() const { return folder_ / "outlying"; }

  /// Notes a commit before Andon moves the default branch to it.
  void note_landing(std::string const& commit) const;
  bool has_landed(std::string const& commit) const;

  /// The refs at the start of a run, for the case that its supervising process is killed.
  void keep_refs(core::RunId run, NotedRefs const& refs) const;
  NotedRefs refs_of(core::RunId run) const;
  void forget_refs(core::RunId run) const;

 private:
  static constexpr core::Duration kTurnPatience{120'000};
  std::filesystem::path refs_file(core::RunId run) const;

  std::filesystem::path folder_;
};

}  // namespace andon::runner
